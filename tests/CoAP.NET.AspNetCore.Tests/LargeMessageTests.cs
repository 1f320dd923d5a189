using System.Net.WebSockets;
using CoAP.TestSupport;

namespace CoAP.AspNetCore.Tests;

/// <summary>Large messages over WebSockets: unchanged, within limits, and released when the peer leaves.</summary>
[Trait("Category", "Loopback")]
public sealed class LargeMessageTests
{
    private const int Size = 5_000_000;
    private static readonly byte[] Csm = [0x00, 0xE1];

    // Len 0, a token of one byte, POST, Uri-Path "echo", the marker
    private static readonly byte[] PostEcho = [0x01, 0x02, 0x7A, 0xB4, .. "echo"u8, 0xFF];

    [Fact, Trait("RFC", "8323 4.2")]
    public async Task A_large_message_goes_both_ways_unchanged()
    {
        await using var host = await WebHost.StartAsync(Settings());
        await using var client = new CoapClient(new CoapClientSettings { Stream = Settings().Stream });
        var payload = new byte[Size];
        new Random(5).NextBytes(payload);

        var answers = await Task.WhenAll(Enumerable.Range(0, 3).Select(_ => client.PostAsync($"coap+ws://{host.Authority}/echo", payload).AsTask()));

        answers.Should().AllSatisfy(answer => answer.Payload.Span.SequenceEqual(payload).Should().BeTrue());
    }

    [Fact]
    public async Task A_peer_that_leaves_within_a_message_makes_room_for_others()
    {
        await using var host = await WebHost.StartAsync(Settings() with { MaxInFlightSize = Size + (5 << 20) });
        for (var run = 0; run < 4; run++)
        {
            using var socket = await BeginAsync(host, Size / 2);
            socket.Abort();
        }
        await host.Server.AllConnectionsEndAsync();
        await using var client = new CoapClient(new CoapClientSettings { Stream = Settings().Stream });

        var answer = await client.PostAsync($"coap+ws://{host.Authority}/echo", new byte[Size]);

        answer.Payload.Length.Should().Be(Size);
    }

    [Fact]
    public async Task At_the_limit_of_the_endpoint_a_second_peer_is_asked_to_try_again_later()
    {
        await using var host = await WebHost.StartAsync(Settings() with { MaxInFlightSize = 3_000_000 });
        using var first = await BeginAsync(host, 2_000_000);
        WebSocketCloseStatus? refused = WebSocketCloseStatus.MessageTooBig;

        // While the bytes of the first message are still on their way, a second peer reaches the limit of a message instead.
        for (var attempt = 0; attempt < 20 && refused == WebSocketCloseStatus.MessageTooBig; attempt++)
        {
            using var second = await BeginAsync(host, 100);
            refused = await RefusalAsync(second);
        }
        await first.SendAsync(new byte[100], WebSocketMessageType.Binary, true, default);
        var answer = await first.ReceiveAsync(new byte[1000].AsMemory(), default);

        refused.Should().Be((WebSocketCloseStatus)1013);
        answer.MessageType.Should().Be(WebSocketMessageType.Binary);
    }

    [Fact]
    public async Task A_message_that_makes_no_progress_ends_the_connection()
    {
        // The message begins before the server gives it up, also on a machine under load.
        var stream = new StreamSettings { MessageTimeout = TimeSpan.FromSeconds(1) };
        await using var host = await WebHost.StartAsync(new CoapServerSettings { Endpoints = [], Stream = stream });
        using var socket = await BeginAsync(host, 10);

        var end = await Record.ExceptionAsync(() => ReceiveAllAsync(socket)).WaitAsync(TimeSpan.FromMinutes(1));

        end.Should().BeOfType<WebSocketException>("the server discards the incomplete message");
    }

    private static CoapServerSettings Settings() => new() { Endpoints = [], Stream = new StreamSettings { MaxMessageSize = 2 * Size, AbortAboveSize = 2 * Size } };

    private static async Task<ClientWebSocket> BeginAsync(WebHost host, int length)
    {
        var socket = new ClientWebSocket();
        socket.Options.AddSubProtocol("coap");
        await socket.ConnectAsync(host.WebSocket, default);
        await socket.ReceiveAsync(new byte[100].AsMemory(), default);
        await socket.SendAsync(Csm, WebSocketMessageType.Binary, true, default);
        await socket.SendAsync(PostEcho, WebSocketMessageType.Binary, false, default);
        await socket.SendAsync(new byte[length], WebSocketMessageType.Binary, false, default);
        return socket;
    }

    // Sends until the server refuses.
    private static async Task<WebSocketCloseStatus?> RefusalAsync(ClientWebSocket socket)
    {
        var closing = ReceiveAllAsync(socket);
        while (!closing.IsCompleted)
        {
            await Record.ExceptionAsync(() => socket.SendAsync(new byte[100_000], WebSocketMessageType.Binary, false, default));
        }
        await Record.ExceptionAsync(() => closing);
        return socket.CloseStatus;
    }

    private static async Task ReceiveAllAsync(ClientWebSocket socket)
    {
        while ((await socket.ReceiveAsync(new byte[1000].AsMemory(), default)).MessageType != WebSocketMessageType.Close)
        {
        }
    }
}
