using CoAP.Options;

namespace CoAP.Serialization;

/// <summary>The nibble of the token length and the bytes that extend it (RFC 8974, section 2.1).</summary>
internal static class TokenFormat
{
    /// <summary>Returns the nibble for a token of this length.</summary>
    public static int Nibble(int length) => OptionFormat.Nibble(length);

    /// <summary>Returns the number of bytes after the header that extend the nibble of a length.</summary>
    public static int ExtendedLength(int length) => OptionFormat.ExtendedLength(length);

    /// <summary>Returns the number of bytes after the header that a nibble announces.</summary>
    public static int ExtendedLengthOf(int nibble) => nibble is OptionFormat.OneByte or OptionFormat.TwoBytes ? nibble - OptionFormat.OneByte + 1 : 0;

    /// <summary>Writes extended length and token and returns the number of bytes. The nibble is part of the header.</summary>
    public static int Write(Span<byte> destination, in Token token, int extendedAt)
    {
        destination = destination[extendedAt..];
        var extended = OptionFormat.WriteExtended(destination, token.Length);
        return extended + token.CopyTo(destination[extended..]);
    }

    /// <summary>Replaces the nibble by the length at the position.</summary>
    public static FormatError ReadLength(ReadOnlySpan<byte> bytes, ref int position, ref int length) =>
        length == OptionFormat.Reserved ? FormatError.ReservedTokenLength : OptionFormat.ReadExtended(bytes, ref position, ref length);
}
