using System.Buffers.Binary;
using System.Text;
using CoAP.Measurements.HandWritten;

namespace CoAP.Measurements.Servers.Load;

/// <summary>CoAP over TCP in bytes written by hand, so that the generator has no part of what it measures (RFC 8323, section 3.2).</summary>
internal sealed class CoapWire : Wire
{
    private const int SuccessClass = 2;
    private const int SignalingClass = 7;

    public override byte[] Greeting { get; } = HandWrittenRequest.Csm.ToArray();

    public override byte[] Reverse { get; } =
        HandWrittenRequest.Frame(HandWrittenRequest.Post, "reverse", Encoding.ASCII.GetBytes(Text)).Bytes.ToArray();

    /// <summary>A GET of a path of one segment.</summary>
    public static byte[] Get(string path) => HandWrittenRequest.Frame(HandWrittenRequest.Get, path).Bytes.ToArray();

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
}
