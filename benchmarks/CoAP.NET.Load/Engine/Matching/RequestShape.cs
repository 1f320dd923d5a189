using System.Buffers.Binary;
using System.Text;

namespace CoAP.Load;

/// <summary>The bytes that all requests of a load share. Only the message ID and the token differ.</summary>
internal sealed class RequestShape
{
    /// <summary>The length of every token in bytes.</summary>
    public const int TokenLength = 8;

    private const int UriPath = 11, ContentFormat = 12, UriQuery = 15, Accept = 17, DatagramHeader = 4;
    private const byte PayloadMarker = 0xFF;

    public RequestShape(LoadSettings settings)
    {
        IsDatagram = !settings.IsTcp;
        var rest = new List<byte>();
        WriteOptions(rest, settings);
        if (settings.Payload.Length > 0) { rest.AddRange([PayloadMarker, .. settings.Payload]); }
        byte[] head = IsDatagram ? [(byte)((settings.IsConfirmable ? 0x40 : 0x50) | TokenLength), settings.Method, 0, 0] : FrameHead(settings.Method, rest.Count);
        TokenOffset = head.Length;
        Bytes = [.. head, .. new byte[TokenLength], .. rest];
    }

    public bool IsDatagram { get; }

    /// <summary>The place of the token.</summary>
    public int TokenOffset { get; }

    public byte[] Bytes { get; }

    /// <summary>Writes a message ID, unless the request is a frame, and a token.</summary>
    public void Number(Span<byte> request, ushort messageId, ulong token)
    {
        if (IsDatagram) { BinaryPrimitives.WriteUInt16BigEndian(request[(DatagramHeader - 2)..], messageId); }
        BinaryPrimitives.WriteUInt64BigEndian(request[TokenOffset..], token);
    }

    // RFC 8323, section 3.2.
    private static byte[] FrameHead(byte method, int length)
    {
        var extended = new List<byte>();
        var nibble = Extend(extended, length);
        return [(byte)((nibble << 4) | TokenLength), .. extended, method];
    }

    private static void WriteOptions(List<byte> bytes, LoadSettings settings)
    {
        var (number, parts) = (0, settings.Path.Split('?', 2));
        foreach (var segment in parts[0].Split('/', StringSplitOptions.RemoveEmptyEntries)) { WriteText(bytes, ref number, UriPath, segment); }
        if (settings.ContentFormat is { } contentFormat) { WriteOption(bytes, ref number, ContentFormat, Shortest(contentFormat)); }
        foreach (var query in parts is [_, var all] ? all.Split('&') : []) { WriteText(bytes, ref number, UriQuery, query); }
        if (settings.Accept is { } accept) { WriteOption(bytes, ref number, Accept, Shortest(accept)); }
    }

    private static void WriteText(List<byte> bytes, ref int number, int next, string escaped) =>
        WriteOption(bytes, ref number, next, Encoding.UTF8.GetBytes(Uri.UnescapeDataString(escaped)));

    // RFC 7252, section 3.1.
    private static void WriteOption(List<byte> bytes, ref int number, int next, byte[] value)
    {
        var extended = new List<byte>();
        var head = (Extend(extended, next - number) << 4) | Extend(extended, value.Length);
        bytes.AddRange([(byte)head, .. extended, .. value]);
        number = next;
    }

    // RFC 7252, section 3.2: an integer has no leading zeros, and 0 has no bytes.
    private static byte[] Shortest(uint value) => value switch
    {
        0 => [],
        <= byte.MaxValue => [(byte)value],
        _ => [(byte)(value >> 8), (byte)value],
    };

    // Both RFCs extend a nibble alike, up to 65,804.
    private static int Extend(List<byte> bytes, int value)
    {
        if (value < 13) { return value; }
        if (value < 269)
        {
            bytes.Add((byte)(value - 13));
            return 13;
        }
        if (value > 65_804) { throw new ArgumentOutOfRangeException(nameof(value), value, "At most 65,804 bytes are written here."); }
        bytes.AddRange([(byte)((value - 269) >> 8), (byte)(value - 269)]);
        return 14;
    }
}
