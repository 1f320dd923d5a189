using System.Text;

namespace CoAP.Formats;

/// <summary>
/// The byte order mark that some programs write before JSON. Parsers may ignore it, and nobody must write it (RFC 8259, section 8.1).
/// </summary>
internal static class ByteOrderMark
{
    /// <summary>Returns the number of bytes of the mark at the start of a document: 3 or 0.</summary>
    public static int LengthIn(ReadOnlySpan<byte> bytes) => bytes.StartsWith(Encoding.UTF8.Preamble) ? Encoding.UTF8.Preamble.Length : 0;

    /// <summary>Whether bytes can become a mark when more of them arrive.</summary>
    public static bool MayBegin(ReadOnlySpan<byte> bytes) =>
        bytes.Length < Encoding.UTF8.Preamble.Length && Encoding.UTF8.Preamble.StartsWith(bytes);
}
