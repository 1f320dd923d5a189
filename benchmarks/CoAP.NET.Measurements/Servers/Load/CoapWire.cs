using System.Buffers.Binary;
using System.Text;

namespace CoAP.Measurements.Servers.Load;

/// <summary>CoAP over TCP in bytes written by hand, so that the generator has no part of what it measures (RFC 8323, section 3.2).</summary>
internal sealed class CoapWire : Wire
{
    private const byte Csm = 0xE1;
    private const byte GetCode = 0x01;
    private const byte PostCode = 0x02;
    private const byte Token = 0x54;
    private const byte UriPath = 0xB0;
    private const byte PayloadMarker = 0xFF;
    private const int SuccessClass = 2;
    private const int SignalingClass = 7;

    public override byte[] Greeting { get; } = [0x00, Csm];

    public override byte[] Reverse { get; } = Request(PostCode, "reverse", Encoding.ASCII.GetBytes(Text));

    /// <summary>A GET of a path of one segment.</summary>
    public static byte[] Get(string path) => Request(GetCode, path, []);

    public override int Cut(ReadOnlySpan<byte> bytes, out bool isAnswer)
    {
        isAnswer = false;
        if (bytes.Length < 2) { return 0; }
        var length = bytes[0] >> 4;
        var at = length switch { 13 => 2, 14 => 3, 15 => 5, _ => 1 };
        if (bytes.Length <= at) { return 0; }
        var body = length switch
        {
            13 => bytes[1] + 13,
            14 => BinaryPrimitives.ReadUInt16BigEndian(bytes[1..]) + 269,
            15 => checked((int)(BinaryPrimitives.ReadUInt32BigEndian(bytes[1..]) + 65805)),
            _ => length,
        };
        var whole = at + 1 + (bytes[0] & 15) + body;
        isAnswer = bytes[at] >> 5 != SignalingClass;
        return bytes.Length < whole ? 0 : whole;
    }

    public override bool IsGood(ReadOnlySpan<byte> answer, bool isReverse)
    {
        var code = answer[(answer[0] >> 4) switch { 13 => 2, 14 => 3, 15 => 5, _ => 1 }];
        return code >> 5 == SuccessClass && (!isReverse || answer.EndsWith(Reversed));
    }

    private static byte[] Request(byte code, string path, ReadOnlySpan<byte> payload)
    {
        byte[] body = [(byte)(UriPath | path.Length), .. Encoding.ASCII.GetBytes(path)];
        if (!payload.IsEmpty) { body = [.. body, PayloadMarker, .. payload]; }
        return body.Length < 13 ? [(byte)(body.Length << 4 | 1), code, Token, .. body] : [13 << 4 | 1, (byte)(body.Length - 13), code, Token, .. body];
    }
}
