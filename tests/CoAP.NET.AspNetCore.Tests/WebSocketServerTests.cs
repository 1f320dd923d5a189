using System.Net.WebSockets;

namespace CoAP.AspNetCore.Tests;

/// <summary>The server seen by a WebSocket. The tests write its messages by hand (RFC 8323, section 4.2).</summary>
[Trait("Category", "Loopback")]
public sealed class WebSocketServerTests
{
    private static readonly byte[] Csm = [0x00, 0xE1];                                              // Len 0, no token, 7.01

    // Len 0, a token of one byte, GET, Uri-Path "hello"
    private static readonly byte[] GetHello = [0x01, 0x01, 0x7A, 0xB5, .. "hello"u8];

    // The same token, 2.05, Content-Format 0 as an empty value, the payload
    private static readonly byte[] Hello = [0x01, 0x45, 0x7A, 0xC0, 0xFF, .. "Hello, CoAP!"u8];

    [Fact, Trait("RFC", "8323 4.2")]
    public async Task One_message_is_one_binary_message_without_a_length()
    {
        await using var host = await WebHost.StartAsync();
        using var socket = await ConnectAsync(host);

        var csm = await ReceiveAsync(socket);
        await SendAsync(socket, Csm);
        await SendAsync(socket, GetHello);
        var answer = await ReceiveAsync(socket);

        csm[..2].Should().Equal(0x00, 0xE1);
        answer.Should().Equal(Hello);
        socket.SubProtocol.Should().Be("coap");
    }

    [Fact, Trait("RFC", "8323 4.2")]
    public async Task Fragments_are_put_together_and_the_length_is_ignored()
    {
        await using var host = await WebHost.StartAsync();
        using var socket = await ConnectAsync(host);
        await ReceiveAsync(socket);
        await SendAsync(socket, Csm);

        byte[] withLength = [0xF1, .. GetHello[1..]];
        foreach (var octet in withLength[..^1]) { await socket.SendAsync(new[] { octet }, WebSocketMessageType.Binary, false, default); }
        await socket.SendAsync(withLength.AsMemory(withLength.Length - 1), WebSocketMessageType.Binary, true, default);

        (await ReceiveAsync(socket)).Should().Equal(Hello);
    }

    [Fact, Trait("RFC", "8323 5.3.1")]
    public async Task A_response_within_the_peers_message_size_arrives_in_one_message()
    {
        var body = new byte[60_000];
        new Random(8323).NextBytes(body);
        await using var host = await WebHost.StartAsync(
            map: server => server.Resources.At("hello").Get((_, _) => new(Response.Content(body, ContentFormats.OctetStream))));
        using var socket = await ConnectAsync(host);
        await ReceiveAsync(socket);

        await SendAsync(socket, [.. Csm, 0x23, 0x10, 0x00, 0x00]);      // Max-Message-Size 1 MiB, and no Block-Wise-Transfer option
        await SendAsync(socket, GetHello);
        var answer = await ReceiveAsync(socket);

        answer[..3].Should().Equal(0x01, 0x45, 0x7A);
        answer[^60_000..].Should().Equal(body);
    }

    [Fact, Trait("RFC", "8323 4.2")]
    public async Task Text_is_refused()
    {
        await using var host = await WebHost.StartAsync();
        using var socket = await ConnectAsync(host);
        await ReceiveAsync(socket);

        await socket.SendAsync("GET /hello"u8.ToArray(), WebSocketMessageType.Text, true, default);
        (await ReceiveAsync(socket))[..2].Should().Equal(0x00, 0xE5);
        await ReceiveAsync(socket);

        socket.CloseStatus.Should().Be(WebSocketCloseStatus.InvalidMessageType);
    }

    [Fact, Trait("RFC", "8323 5.3.1")]
    public async Task A_message_over_the_limit_is_refused_before_it_is_complete()
    {
        await using var host = await WebHost.StartAsync(new CoapServerSettings { Endpoints = [], Stream = new() { MaxMessageSize = 2000, AbortAboveSize = 2000 } });
        using var socket = await ConnectAsync(host);
        await ReceiveAsync(socket);
        await SendAsync(socket, Csm);

        await socket.SendAsync(new byte[2100], WebSocketMessageType.Binary, false, default);
        await ReceiveAsync(socket);     // Abort
        await ReceiveAsync(socket);

        socket.CloseStatus.Should().Be(WebSocketCloseStatus.MessageTooBig);
    }

    [Fact, Trait("RFC", "8323 5.3.1")]
    public async Task A_peer_that_still_sends_too_much_receives_the_reason()
    {
        await using var host = await WebHost.StartAsync();
        using var socket = await ConnectAsync(host);
        await ReceiveAsync(socket);

        await SendAsync(socket, new byte[17 << 20]);
        await ReceiveAsync(socket);     // Abort
        await ReceiveAsync(socket);

        socket.CloseStatus.Should().Be(WebSocketCloseStatus.MessageTooBig);
    }

    [Fact]
    public async Task A_peer_that_does_not_stop_sending_is_disconnected()
    {
        await using var host = await WebHost.StartAsync();
        using var socket = await ConnectAsync(host);
        var piece = new byte[1 << 20];

        var send = async () =>
        {
            while (true) { await socket.SendAsync(piece, WebSocketMessageType.Binary, false, default).WaitAsync(TimeSpan.FromMinutes(1)); }
        };

        await send.Should().ThrowAsync<WebSocketException>();
    }

    [Theory, Trait("RFC", "8323 5.6")]
    [InlineData("00"), InlineData("04 01 AA"), InlineData("0D 01")]     // cut off
    [InlineData("0F 01")]                                               // a reserved token length
    public async Task A_malformed_message_is_aborted(string hex)
    {
        await using var host = await WebHost.StartAsync();
        using var socket = await ConnectAsync(host);
        await ReceiveAsync(socket);
        await SendAsync(socket, Csm);

        await SendAsync(socket, Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal)));
        var abort = await ReceiveAsync(socket);

        abort[1].Should().Be(0xE5, "that is 7.05");
    }

    [Fact, Trait("RFC", "8323 4.1")]
    public async Task Without_the_subprotocol_there_is_no_connection()
    {
        await using var host = await WebHost.StartAsync();
        using var socket = new ClientWebSocket();
        socket.Options.AddSubProtocol("mqtt");

        var connect = () => socket.ConnectAsync(host.WebSocket, default);

        (await connect.Should().ThrowAsync<WebSocketException>()).WithMessage("*400*");
    }

    private static async Task<ClientWebSocket> ConnectAsync(WebHost host)
    {
        var socket = new ClientWebSocket();
        socket.Options.AddSubProtocol("coap");
        await socket.ConnectAsync(host.WebSocket, default);
        return socket;
    }

    private static Task SendAsync(ClientWebSocket socket, byte[] message) => socket.SendAsync(message, WebSocketMessageType.Binary, true, default);

    /// <summary>Returns the next message, or no bytes if the server has closed the WebSocket.</summary>
    private static async Task<byte[]> ReceiveAsync(ClientWebSocket socket)
    {
        var buffer = new byte[70_000];
        var count = 0;
        while (true)
        {
            var result = await socket.ReceiveAsync(buffer.AsMemory(count), default).AsTask().WaitAsync(TimeSpan.FromMinutes(1));
            count += result.Count;
            if (result.EndOfMessage) { return buffer[..count]; }
        }
    }
}
