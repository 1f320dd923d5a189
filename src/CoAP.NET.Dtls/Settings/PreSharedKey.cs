using System.Text;
using CoAP.Dtls;

namespace CoAP;

/// <summary>A key that both sides of a session know, and the identity by which the server finds it (RFC 4279).</summary>
/// <remarks>Immutable. <see cref="object.ToString"/> returns the identity and not the key.</remarks>
public sealed class PreSharedKey
{
    /// <summary>The longest key in bytes.</summary>
    internal const int MaxKey = 256;

    private readonly byte[] _identity;
    private readonly byte[] _key;

    /// <summary>Creates a key.</summary>
    /// <param name="identity">The identity, 1 to 256 bytes in UTF-8 without a null character. It is sent in the clear.</param>
    /// <param name="key">The key, 1 to 256 bytes. Use at least 16 random bytes: an attacker can guess a short key or a word from a recorded handshake.</param>
    /// <exception cref="ArgumentException">The identity or the key is empty or too long, or the identity contains a null character.</exception>
    public PreSharedKey(string identity, ReadOnlySpan<byte> key)
        : this(BytesOf(identity), key)
    {
        if (identity.Contains('\0', StringComparison.Ordinal))
        {
            throw new ArgumentException($"The identity '{identity.Replace('\0', '?')}' contains a null character, which text must not. Use bytes instead.", nameof(identity));
        }
    }

    /// <summary>Creates a key whose identity is any bytes.</summary>
    /// <param name="identity">
    /// The identity, 1 to 256 bytes. It is sent in the clear. A client can send at most 255 bytes, and none that are zero, because OpenSSL takes an identity as text.
    /// </param>
    /// <param name="key">The key, 1 to 256 bytes.</param>
    /// <exception cref="ArgumentException">The identity or the key is empty or too long.</exception>
    public PreSharedKey(ReadOnlySpan<byte> identity, ReadOnlySpan<byte> key)
    {
        if (identity.Length is < 1 or > KeyIdentity.MaxLength)
        {
            throw new ArgumentException($"The identity has {identity.Length} bytes; 1 to {KeyIdentity.MaxLength} are allowed.", nameof(identity));
        }
        if (key.Length is < 1 or > MaxKey)
        {
            throw new ArgumentException($"The key for '{KeyIdentity.Describe(identity)}' has {key.Length} bytes; 1 to {MaxKey} are allowed.", nameof(key));
        }
        (_identity, _key) = ([.. identity], [.. key]);
        Identity = KeyIdentity.TryRead(identity, out var text) ? text : "";
    }

    /// <summary>The identity of the key as text; empty if it is not text (<see cref="IdentityBytes"/>).</summary>
    public string Identity { get; }

    /// <summary>The identity of the key.</summary>
    public ReadOnlyMemory<byte> IdentityBytes => _identity;

    /// <summary>Returns a copy of the key.</summary>
    internal byte[] CopyKey() => [.. _key];

    /// <summary>Returns why a client cannot send the identity; <see langword="null"/> if it can.</summary>
    internal string? WhyNotSent() =>
        _identity.AsSpan().Contains((byte)0) ? $"The identity {this} of the pre-shared key contains a zero byte, which OpenSSL cannot send: it takes the identity as text, which ends there."
        : _identity.Length > KeyIdentity.MaxSent ? $"The identity of the pre-shared key has {_identity.Length} bytes; OpenSSL can send at most {KeyIdentity.MaxSent}."
        : null;

    /// <summary>Returns the identity; as hexadecimal digits if it is not text.</summary>
    public override string ToString() => KeyIdentity.Describe(_identity);

    private static byte[] BytesOf(string identity)
    {
        ArgumentException.ThrowIfNullOrEmpty(identity);
        return Encoding.UTF8.GetBytes(identity);
    }
}
