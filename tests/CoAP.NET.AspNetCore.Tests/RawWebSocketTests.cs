using System.Buffers.Binary;
using System.Net.Sockets;
using System.Text;

namespace CoAP.AspNetCore.Tests;

/// <summary>The server seen by a TCP socket. The tests write the opening handshake and the frames by hand (RFC 6455; RFC 8323, section 4).</summary>
[Trait("Category", "Loopback")]
public sealed class RawWebSocketTests : IAsyncLifetime, IDisposable
{
    private const int Outstanding = 200;

    private WebHost _host = null!;
    private TcpClient _socket = null!;

    public async Task InitializeAsync()
    {
        _host = await WebHost.StartAsync();
        _socket = new TcpClient { ReceiveTimeout = 30_000 };
        var address = new Uri(_host.Address);
        await _socket.ConnectAsync(address.Host, address.Port);
    }

    public async Task DisposeAsync() => await _host.DisposeAsync();

    public void Dispose() => _socket.Dispose();

    [Fact, Trait("RFC", "8323 4.1")]
    public void The_opening_handshake_is_that_of_the_example()
    {
        var answer = Open();

        // RFC 6455, section 1.3: the key and the answer to it
        answer.Should().StartWith("HTTP/1.1 101 ").And.Contain("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n");
        answer.Should().Contain("Sec-WebSocket-Protocol: coap\r\n").And.Contain("Upgrade: websocket\r\n").And.Contain("Connection: Upgrade\r\n");
    }

    [Fact, Trait("RFC", "8323 4.2")]
    public void Each_of_many_requests_in_one_segment_is_answered_in_its_own_binary_message()
    {
        Open();
        var segment = new List<byte>(Frame([0x00, 0xE1]));
        for (ushort i = 0; i < Outstanding; i++) { segment.AddRange(Frame([0x02, 0x01, (byte)(i >> 8), (byte)i, 0xB5, .. "hello"u8])); }
        _socket.GetStream().Write([.. segment]);

        var csm = ReadFrame();
        var answers = Enumerable.Range(0, Outstanding).Select(_ => ReadFrame()).ToList();

        csm.Payload[1].Should().Be(0xE1);
        answers.Should().OnlyContain(frame => frame.Opcode == 0x82 && frame.Payload[1] == 0x45);
        answers.Select(frame => BinaryPrimitives.ReadUInt16BigEndian(frame.Payload.AsSpan(2))).Should().BeEquivalentTo(Enumerable.Range(0, Outstanding));
    }

    [Fact]
    public void A_ping_of_the_web_socket_between_messages_is_answered()
    {
        Open();
        _socket.GetStream().Write([.. Frame([0x00, 0xE1]), .. Frame([0x41, 0x42], opcode: 0x89), .. Frame([0x01, 0x01, 0x7A, 0xB5, .. "hello"u8])]);

        var frames = Enumerable.Range(0, 3).Select(_ => ReadFrame()).ToList();

        frames.Should().ContainSingle(frame => frame.Opcode == 0x8A).Which.Payload.Should().Equal(0x41, 0x42);
        frames.Should().Contain(frame => frame.Opcode == 0x82 && frame.Payload[1] == 0x45);
    }

    [Fact, Trait("RFC", "8323 5.5")]
    public async Task A_server_that_stops_sends_its_answers_then_a_release_then_the_close()
    {
        Open();
        _socket.GetStream().Write([.. Frame([0x00, 0xE1]), .. Frame([0x01, 0x01, 0x7A, 0xB5, .. "hello"u8])]);
        ReadFrame();
        var answer = ReadFrame();

        var ending = _host.Server.StopAsync();
        var release = ReadFrame();
        var close = ReadFrame();
        _socket.GetStream().Write(Frame(close.Payload[..2], opcode: 0x88));
        await ending.WaitAsync(TimeSpan.FromMinutes(1));

        answer.Payload[1].Should().Be(0x45);
        release.Payload[1].Should().Be(0xE4);
        (close.Opcode, BinaryPrimitives.ReadUInt16BigEndian(close.Payload)).Should().Be((0x88, 1000));
    }

    private string Open()
    {
        var request = "GET /.well-known/coap HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: coap\r\nSec-WebSocket-Version: 13\r\n\r\n";
        _socket.GetStream().Write(Encoding.ASCII.GetBytes(request));
        var answer = new StringBuilder();
        while (!answer.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal)) { answer.Append((char)ReadExactly(1)[0]); }
        return answer.ToString();
    }

    // A frame of a client: FIN, masked with zeros (RFC 6455, section 5.2).
    private static byte[] Frame(byte[] payload, byte opcode = 0x82) => [opcode, (byte)(0x80 | payload.Length), 0, 0, 0, 0, .. payload];

    private (byte Opcode, byte[] Payload) ReadFrame()
    {
        var header = ReadExactly(2);
        header[1].Should().BeLessThan(126, "a server does not mask its frames, and these messages are short");
        return (header[0], ReadExactly(header[1]));
    }

    private byte[] ReadExactly(int count)
    {
        var bytes = new byte[count];
        _socket.GetStream().ReadExactly(bytes);
        return bytes;
    }
}
