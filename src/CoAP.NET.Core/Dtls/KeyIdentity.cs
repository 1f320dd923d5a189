using System.Text;
using CoAP.Vocabulary;

namespace CoAP.Dtls;

/// <summary>Reads identities of pre-shared keys. Most are text, but a client may send any bytes (RFC 4279, section 5.1).</summary>
internal static class KeyIdentity
{
    /// <summary>The longest identity that OpenSSL reads and sends. When it sends one, a zero follows.</summary>
    public const int MaxLength = 256, MaxSent = MaxLength - 1;

    private static readonly UTF8Encoding StrictUtf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Returns an identity as text. Returns <see langword="false"/> if it is not UTF-8 or contains a zero: two such identities could have the same text.</summary>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out string text)
    {
        text = "";
        if (bytes.Contains((byte)0)) { return false; }
        try { text = StrictUtf8.GetString(bytes); }
        catch (DecoderFallbackException) { return false; }
        return true;
    }

    /// <summary>Returns an identity for logs and errors: as text, or as hexadecimal digits.</summary>
    public static string Describe(ReadOnlySpan<byte> bytes) => TryRead(bytes, out var text) ? ForeignText.Clean(text) : $"0x{Convert.ToHexStringLower(bytes)}";
}
