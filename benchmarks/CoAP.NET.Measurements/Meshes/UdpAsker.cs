using System.Buffers.Binary;
using System.Text;
using CoAP.Measurements.Servers.Load;

namespace CoAP.Measurements.Meshes;

/// <summary>A confirmable request in bytes written by hand (RFC 7252, section 3), and what came of it.</summary>
internal sealed class UdpAsker
{
    private const byte Confirmable = 0x40;
    private const byte UriPath = 0xB0;
    private const byte PayloadMarker = 0xFF;
    private const int TokenLength = 4;
    private const int MessageIdAt = 2;
    private const int TokenAt = 4;

    private readonly byte[] _bytes;

    public UdpAsker(string name, byte code, string path, int payload = 0)
    {
        Name = name;
        byte[] head = [Confirmable | TokenLength, code, 0, 0, 0, 0, 0, 0, (byte)(UriPath | path.Length), .. Encoding.ASCII.GetBytes(path)];
        _bytes = payload == 0 ? head : [.. head, PayloadMarker, .. Enumerable.Range(0, payload).Select(static at => (byte)at)];
    }

    public string Name { get; }

    public Latencies Latencies { get; private set; } = new();

    /// <summary>Answers that were errors.</summary>
    public long Wrong { get; set; }

    /// <summary>Requests without an answer.</summary>
    public long Missing { get; set; }

    public static UdpAsker Hello => new("hello", 1, "hello");

    public static UdpAsker Sum(int size) => new($"{size:N0}", 3, "sum", size);

    public void Clear() => (Latencies, Wrong, Missing) = (new Latencies(), 0, 0);

    /// <summary>The request; valid until the next one.</summary>
    public ReadOnlySpan<byte> Request(ushort messageId, uint token)
    {
        BinaryPrimitives.WriteUInt16BigEndian(_bytes.AsSpan(MessageIdAt), messageId);
        BinaryPrimitives.WriteUInt32BigEndian(_bytes.AsSpan(TokenAt), token);
        return _bytes;
    }
}
