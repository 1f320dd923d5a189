using System.Buffers.Binary;
using System.IO.Pipelines;
using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>A client of a server's WebSocket whose frames the test writes and reads by hand (RFC 6455, section 5.2).</summary>
internal sealed class RawWebSocket : IDisposable
{
    private static int _count;

    private readonly Pipe _toServer = new(new PipeOptions(pauseWriterThreshold: 0));
    private readonly Pipe _toClient = new();
    private readonly Stream _received;

    public RawWebSocket(CoapServer server)
    {
        _received = _toClient.Reader.AsStream();
        var upgraded = new DuplexStream(_toServer.Reader.AsStream(), _toClient.Writer.AsStream());
        var peer = PeerIdentity.From($"browser-{Interlocked.Increment(ref _count)}");
        _ = server.ServeWebSocketAsync(upgraded, peer, PeerIdentity.From("host"));
    }

    /// <summary>Sends a binary message in one frame, masked with zeros.</summary>
    public void Send(string hex) => Send(Hex.Bytes(hex));

    /// <inheritdoc cref="Send(string)"/>
    public void Send(ReadOnlySpan<byte> message) => Send(0x82, message);

    /// <summary>Sends a text message in one frame.</summary>
    public void SendText(ReadOnlySpan<byte> message) => Send(0x81, message);

    /// <summary>The next frame: its first byte, and what it carries in hexadecimal.</summary>
    public async Task<(byte Opcode, string Payload)> ReadAsync()
    {
        var header = await ReadAsync(2);
        int length = header[1];
        if (length == 126) { length = BinaryPrimitives.ReadUInt16BigEndian(await ReadAsync(2)); }
        return (header[0], Hex.Text(await ReadAsync(length)));
    }

    public void Dispose()
    {
        _toServer.Writer.Complete();
        _toClient.Reader.Complete();
    }

    private void Send(byte opcode, ReadOnlySpan<byte> message)
    {
        var length = new byte[8];
        BinaryPrimitives.WriteInt64BigEndian(length, message.Length);
        byte[] head = message.Length < 126 ? [(byte)(0x80 | message.Length)] : message.Length <= ushort.MaxValue ? [0x80 | 126, .. length[6..]] : [0x80 | 127, .. length];
        _toServer.Writer.AsStream(leaveOpen: true).Write([opcode, .. head, 0, 0, 0, 0, .. message]);
    }

    private async Task<byte[]> ReadAsync(int count)
    {
        var bytes = new byte[count];
        await _received.ReadExactlyAsync(bytes).AsTask().WaitAsync(RawPeer.Patience);
        return bytes;
    }
}
