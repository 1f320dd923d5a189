using System.Text;

namespace CoAP;

/// <summary>A key that both sides of a session know, and the identity by which the server finds it (RFC 4279).</summary>
/// <remarks>Immutable. <see cref="object.ToString"/> returns the identity and not the key.</remarks>
public sealed class PreSharedKey
{
    /// <summary>The longest key in bytes.</summary>
    internal const int MaxKey = 256;

    private const int MaxIdentity = 128;

    private static readonly UTF8Encoding StrictUtf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private readonly byte[] _key;

    /// <summary>Creates a key.</summary>
    /// <param name="identity">The identity, 1 to 128 bytes in UTF-8 without a null character. It is sent in the clear.</param>
    /// <param name="key">The key, 1 to 256 bytes. Use at least 16 random bytes: an attacker can guess a short key or a word from a recorded handshake.</param>
    /// <exception cref="ArgumentException">The identity or the key is empty or too long, or the identity contains a null character.</exception>
    public PreSharedKey(string identity, ReadOnlySpan<byte> key)
    {
        ArgumentException.ThrowIfNullOrEmpty(identity);
        var length = Encoding.UTF8.GetByteCount(identity);
        if (length > MaxIdentity || identity.Contains('\0', StringComparison.Ordinal))
        {
            throw new ArgumentException($"The identity has {length} bytes; 1 to {MaxIdentity} bytes without a null character are allowed.", nameof(identity));
        }
        if (key.Length is < 1 or > MaxKey) { throw new ArgumentException($"The key for '{identity}' has {key.Length} bytes; 1 to {MaxKey} are allowed.", nameof(key)); }
        (Identity, _key) = (identity, [.. key]);
    }

    /// <summary>The identity of the key.</summary>
    public string Identity { get; }

    /// <summary>
    /// Reads the identity that a client has sent. Returns <see langword="false"/> if it is too long, is not UTF-8, or contains a zero: two such identities could
    /// have the same text, and OpenSSL would cut them at the zero.
    /// </summary>
    internal static bool TryReadIdentity(ReadOnlySpan<byte> bytes, out string identity)
    {
        identity = "";
        if (bytes.Length > MaxIdentity || bytes.Contains((byte)0)) { return false; }
        try { identity = StrictUtf8.GetString(bytes); }
        catch (DecoderFallbackException) { return false; }
        return true;
    }

    /// <summary>Returns a copy of the key.</summary>
    internal byte[] CopyKey() => [.. _key];

    /// <summary>Returns the identity.</summary>
    public override string ToString() => Identity;
}
