using System.Text;

namespace CoAP.Tool.Printing;

/// <summary>Bytes in hexadecimal and as characters, 16 on each line.</summary>
internal static class HexDump
{
    private const int BytesPerLine = 16;
    private const int MaxBytes = 512;

    public static string Of(ReadOnlySpan<byte> bytes)
    {
        var text = new StringBuilder();
        var shown = bytes[..Math.Min(bytes.Length, MaxBytes)];
        for (var at = 0; at < shown.Length; at += BytesPerLine)
        {
            var line = shown.Slice(at, Math.Min(BytesPerLine, shown.Length - at));
            text.Append($"{at:x6}  ");
            for (var column = 0; column < BytesPerLine; column++) { text.Append(column < line.Length ? $"{line[column]:x2} " : "   "); }
            text.Append(' ');
            foreach (var one in line) { text.Append(one is >= 0x20 and < 0x7F ? (char)one : '.'); }
            text.Append('\n');
        }
        if (bytes.Length > MaxBytes) { text.Append($"… {bytes.Length - MaxBytes} more bytes; write them to a file with --output\n"); }
        return text.ToString();
    }
}
