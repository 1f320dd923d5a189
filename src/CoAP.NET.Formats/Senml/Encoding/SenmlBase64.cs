using System.Buffers;
using System.Buffers.Text;

namespace CoAP.Formats;

/// <summary>Reads base64 with the alphabet for URLs and without padding (RFC 4648, section 5).</summary>
internal static class SenmlBase64
{
    private static readonly SearchValues<byte> Alphabet =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"u8);

    /// <summary>Returns the bytes, or <see langword="null"/> if the text is not valid.</summary>
    public static byte[]? Decode(ReadOnlySpan<byte> text)
    {
        // The runtime also accepts padding and white space.
        if (text.ContainsAnyExcept(Alphabet) || text.Length % 4 == 1) { return null; }
        var bytes = new byte[(text.Length / 4 * 3) + Math.Max(0, (text.Length % 4) - 1)];
        var status = Base64Url.DecodeFromUtf8(text, bytes, out _, out var length);
        return status == OperationStatus.Done && length == bytes.Length ? bytes : null;
    }
}
