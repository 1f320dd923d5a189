using System.Buffers.Text;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace CoAP;

/// <summary>A public key that identifies a peer without a certificate (RFC 7250; RFC 7252, section 9.1.3.2).</summary>
/// <remarks>Immutable. Two instances with the same key are equal.</remarks>
public sealed class RawPublicKey : IEquatable<RawPublicKey>
{
    private const int IdentifierBytes = 120 / 8;

    private readonly byte[] _info;

    private RawPublicKey(byte[] info)
    {
        _info = info;
        Identifier = "ni:///sha-256-120;" + Base64Url.EncodeToString(SHA256.HashData(info).AsSpan(0, IdentifierBytes));
    }

    /// <summary>The key as a SubjectPublicKeyInfo in DER (RFC 5280, section 4.1).</summary>
    public ReadOnlyMemory<byte> SubjectPublicKeyInfo => _info;

    /// <summary>
    /// The name of the key: a hash of 120 bits, for example <c>ni:///sha-256-120;UyaQV-Ev4rdLoHyJJWCi</c> (RFC 6920, section 3; RFC 7252, section 9.1.3.2.1).
    /// </summary>
    public string Identifier { get; }

    /// <summary>Returns a key from its SubjectPublicKeyInfo in DER.</summary>
    /// <param name="subjectPublicKeyInfo">The bytes. They are copied.</param>
    /// <exception cref="ArgumentException">The bytes are not a SubjectPublicKeyInfo.</exception>
    public static RawPublicKey From(ReadOnlySpan<byte> subjectPublicKeyInfo)
    {
        try
        {
            PublicKey.CreateFromSubjectPublicKeyInfo(subjectPublicKeyInfo, out var length);
            if (length == subjectPublicKeyInfo.Length) { return new(subjectPublicKeyInfo.ToArray()); }
        }
        catch (CryptographicException exception)
        {
            throw new ArgumentException($"The {subjectPublicKeyInfo.Length} bytes are not a SubjectPublicKeyInfo in DER.", nameof(subjectPublicKeyInfo), exception);
        }
        throw new ArgumentException($"More bytes follow the SubjectPublicKeyInfo; there are {subjectPublicKeyInfo.Length} in all.", nameof(subjectPublicKeyInfo));
    }

    /// <summary>Returns the public part of a key.</summary>
    /// <param name="key">The key.</param>
    /// <exception cref="ArgumentNullException"><paramref name="key"/> is <see langword="null"/>.</exception>
    public static RawPublicKey From(AsymmetricAlgorithm key)
    {
        ArgumentNullException.ThrowIfNull(key);
        return new(key.ExportSubjectPublicKeyInfo());
    }

    /// <summary>Returns whether the other instance has the same key.</summary>
    public bool Equals(RawPublicKey? other) => other is not null && _info.AsSpan().SequenceEqual(other._info);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as RawPublicKey);

    /// <inheritdoc/>
    public override int GetHashCode() => Identifier.GetHashCode(StringComparison.Ordinal);

    /// <summary>Returns the <see cref="Identifier"/>.</summary>
    public override string ToString() => Identifier;
}
