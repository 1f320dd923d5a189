using System.Buffers;
using System.Text;
using System.Text.Unicode;

namespace CoAP.Formats;

/// <summary>Encodes and validates texts (RFC 8949, section 3.1, major type 3).</summary>
internal static class CborTexts
{
    /// <summary>Writes a text with its head and returns the length. The span needs 3 bytes for each character and 3 more.</summary>
    internal static int WriteSmall(Span<byte> output, ReadOnlySpan<char> value)
    {
        // Most texts are ASCII: guess the length of the head from the number of characters.
        var head = HeadLength(value.Length);
        Encode(value, output[head..], out var written);
        var needed = HeadLength(written);
        if (needed != head) { output.Slice(head, written).CopyTo(output[needed..]); }
        // Cannot be done first: a longer head would overwrite the text.
        Span<byte> bytes = stackalloc byte[9];
        CborHeads.Write(bytes, CborMajor.Text, (ulong)written);
        bytes[..needed].CopyTo(output);
        return needed + written;
    }

    /// <summary>Counts the bytes of a text.</summary>
    /// <exception cref="ArgumentException">The text contains a lone surrogate.</exception>
    internal static int CountBytes(ReadOnlySpan<char> value) => Strict.GetByteCount(value);

    /// <summary>Encodes as many characters as fit, and returns their number.</summary>
    /// <exception cref="ArgumentException">The text contains a lone surrogate.</exception>
    internal static int Encode(ReadOnlySpan<char> value, Span<byte> output, out int written)
    {
        if (Utf8.FromUtf16(value, output, out var read, out written, replaceInvalidSequences: false) is OperationStatus.InvalidData)
        {
            throw new ArgumentException($"The text contains a lone surrogate at character {read}; UTF-8 cannot represent it.", nameof(value));
        }
        return read;
    }

    private static int HeadLength(int length) => length < 24 ? 1 : length <= byte.MaxValue ? 2 : 3;

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);
}
