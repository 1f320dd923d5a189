using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace CoAP.Problems;

/// <summary>Writes CBOR items in their shortest form (RFC 8949, section 4.2.1).</summary>
internal sealed class CborWriter
{
    private const int LongestHead = 9;

    private readonly ArrayBufferWriter<byte> _buffer = new();

    /// <summary>The number of bytes written so far.</summary>
    public int Length => _buffer.WrittenCount;

    public byte[] ToArray() => _buffer.WrittenSpan.ToArray();

    /// <summary>Writes the head of an item: a whole number, or the number of bytes, elements or pairs that follow.</summary>
    public void WriteHead(CborKind kind, ulong argument)
    {
        var destination = _buffer.GetSpan(LongestHead);
        var (low, length) = argument switch
        {
            < 24 => ((int)argument, 0),
            <= byte.MaxValue => (24, 1),
            <= ushort.MaxValue => (25, 2),
            <= uint.MaxValue => (26, 4),
            _ => (27, 8),
        };
        destination[0] = (byte)(((int)kind << 5) | low);
        if (length > 0)
        {
            Span<byte> whole = stackalloc byte[sizeof(ulong)];
            BinaryPrimitives.WriteUInt64BigEndian(whole, argument);
            whole[^length..].CopyTo(destination[1..]);
        }
        _buffer.Advance(1 + length);
    }

    public void WriteInteger(long value) =>
        WriteHead(value < 0 ? CborKind.Negative : CborKind.Unsigned, value < 0 ? (ulong)(-1 - value) : (ulong)value);

    public void WriteText(string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        WriteHead(CborKind.Text, (ulong)bytes.Length);
        _buffer.Write(bytes);
    }

    /// <summary>Writes a direction: false, true or null (RFC 9290, section 3.1).</summary>
    public void WriteDirection(TextDirection direction) =>
        WriteEncoded([direction switch { TextDirection.LeftToRight => 0xF4, TextDirection.RightToLeft => 0xF5, _ => 0xF6 }]);

    /// <summary>Writes an item that is already encoded.</summary>
    public void WriteEncoded(ReadOnlySpan<byte> item) => _buffer.Write(item);
}
