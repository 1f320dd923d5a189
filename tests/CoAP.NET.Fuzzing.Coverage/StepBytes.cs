using System.Buffers.Binary;
using CoAP.Fuzzing.Engine;

namespace CoAP.Fuzzing.Coverage;

/// <summary>An input as bytes for AFL: each step behind its length of two bytes. The last step may be cut off.</summary>
internal static class StepBytes
{
    private const int LengthBytes = 2;

    public static FuzzInput Read(ReadOnlySpan<byte> bytes)
    {
        var steps = new List<byte[]>();
        while (bytes.Length > LengthBytes)
        {
            var length = Math.Min(BinaryPrimitives.ReadUInt16BigEndian(bytes), bytes.Length - LengthBytes);
            if (length > 0) { steps.Add(bytes.Slice(LengthBytes, length).ToArray()); }
            bytes = bytes[(LengthBytes + length)..];
        }
        return new FuzzInput(steps);
    }

    public static byte[] Write(FuzzInput input) => [.. input.Steps.SelectMany(static step => (byte[])[(byte)(step.Length >> 8), (byte)step.Length, .. step])];
}
