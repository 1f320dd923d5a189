using System.Buffers.Binary;
using System.Text;

namespace CoAP.Measurements.HandWritten;

/// <summary>A request in bytes, so that who asks has no part of what it measures: a message of UDP or of a byte stream.</summary>
internal sealed class HandWrittenRequest
{
    public const byte Get = 0x01;
    public const byte Post = 0x02;
    public const byte Put = 0x03;

    /// <summary>The bytes of each token.</summary>
    public const int TokenLength = 4;

    /// <summary>Where the message ID of a datagram stands, and that of its answer.</summary>
    public const int MessageIdAt = 2;

    /// <summary>Where the token of a datagram stands, and that of its answer.</summary>
    public const int DatagramTokenAt = 4;

    private const byte Confirmable = 0x40;
    private const byte UriPath = 0xB0;
    private const byte PayloadMarker = 0xFF;
    private const int LongerBy = 13;
    private const int LongestFrame = LongerBy + byte.MaxValue;

    private readonly byte[] _bytes;
    private readonly bool _isDatagram;
    private readonly int _tokenAt;

    private HandWrittenRequest(byte[] bytes, bool isDatagram, int tokenAt) => (_bytes, _isDatagram, _tokenAt) = (bytes, isDatagram, tokenAt);

    /// <summary>What a byte stream begins with, a CSM without options: no length, no token, 7.01 (RFC 8323, section 5.3).</summary>
    public static ReadOnlySpan<byte> Csm => [0x00, 0xE1];

    /// <summary>With the token that it was given last.</summary>
    public ReadOnlyMemory<byte> Bytes => _bytes;

    /// <summary>A confirmable request for a path of one segment (RFC 7252, section 3).</summary>
    public static HandWrittenRequest Datagram(byte code, string path, byte[]? payload = null) =>
        new([Confirmable | TokenLength, code, 0, 0, 0, 0, 0, 0, .. Rest(path, payload)], isDatagram: true, DatagramTokenAt);

    /// <summary>A request for a path of one segment (RFC 8323, section 3.2).</summary>
    public static HandWrittenRequest Frame(byte code, string path, byte[]? payload = null)
    {
        var rest = Rest(path, payload);
        if (rest.Length > LongestFrame) { throw new ArgumentException($"A frame has {rest.Length} bytes; at most {LongestFrame} are written here.", nameof(payload)); }
        byte[] head = rest.Length < LongerBy
            ? [(byte)(rest.Length << 4 | TokenLength), code]
            : [LongerBy << 4 | TokenLength, (byte)(rest.Length - LongerBy), code];
        return new([.. head, 0, 0, 0, 0, .. rest], isDatagram: false, head.Length);
    }

    /// <summary>The request as another one; valid until the next.</summary>
    /// <param name="messageId">Of a datagram; a frame has none.</param>
    /// <param name="token">Comes back in the answer.</param>
    public ReadOnlySpan<byte> Number(ushort messageId, uint token)
    {
        if (_isDatagram) { BinaryPrimitives.WriteUInt16BigEndian(_bytes.AsSpan(MessageIdAt), messageId); }
        BinaryPrimitives.WriteUInt32BigEndian(_bytes.AsSpan(_tokenAt), token);
        return _bytes;
    }

    private static byte[] Rest(string path, byte[]? payload)
    {
        byte[] option = [(byte)(UriPath | path.Length), .. Encoding.ASCII.GetBytes(path)];
        return payload is not { Length: > 0 } ? option : [.. option, PayloadMarker, .. payload];
    }
}
