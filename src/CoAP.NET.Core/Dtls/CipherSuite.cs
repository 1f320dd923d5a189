namespace CoAP.Dtls;

/// <summary>A cipher suite that this library accepts. All of them use an AEAD (RFC 5246, section 6.2.3.3).</summary>
/// <remarks>One instance per suite, so that suites are compared by reference.</remarks>
internal sealed class CipherSuite
{
    private const int Implicit = 4;     // the salt of GCM and CCM; each record carries the rest of the nonce (RFC 5288, section 3)

    private static readonly CipherSuite[] All =
    [
        new(0xC0A8, "TLS_PSK_WITH_AES_128_CCM_8", KeyExchange.Psk, Aead.AesCcm, 16, tag: 8),
        new(0xC0A4, "TLS_PSK_WITH_AES_128_CCM", KeyExchange.Psk, Aead.AesCcm, 16),
        new(0x00A8, "TLS_PSK_WITH_AES_128_GCM_SHA256", KeyExchange.Psk, Aead.AesGcm, 16),
        new(0x00A9, "TLS_PSK_WITH_AES_256_GCM_SHA384", KeyExchange.Psk, Aead.AesGcm, 32, usesSha384: true),
        new(0xCCAB, "TLS_PSK_WITH_CHACHA20_POLY1305_SHA256", KeyExchange.Psk, Aead.ChaCha20Poly1305, 32),
        new(0xCCAC, "TLS_ECDHE_PSK_WITH_CHACHA20_POLY1305_SHA256", KeyExchange.EcdhePsk, Aead.ChaCha20Poly1305, 32),
        new(0xC0AE, "TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8", KeyExchange.Certificate, Aead.AesCcm, 16, tag: 8),
        new(0xC0AC, "TLS_ECDHE_ECDSA_WITH_AES_128_CCM", KeyExchange.Certificate, Aead.AesCcm, 16),
        new(0xC02B, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", KeyExchange.Certificate, Aead.AesGcm, 16),
        new(0xC02C, "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", KeyExchange.Certificate, Aead.AesGcm, 32, usesSha384: true),
        new(0xCCA9, "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", KeyExchange.Certificate, Aead.ChaCha20Poly1305, 32),
        new(0xC02F, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", KeyExchange.Certificate, Aead.AesGcm, 16),
        new(0xC030, "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", KeyExchange.Certificate, Aead.AesGcm, 32, usesSha384: true),
        new(0xCCA8, "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", KeyExchange.Certificate, Aead.ChaCha20Poly1305, 32),
    ];

    private CipherSuite(ushort id, string name, KeyExchange exchange, Aead aead, int keyLength, int tag = 16, bool usesSha384 = false) =>
        (Id, Name, KeyExchange, Aead, KeyLength, TagLength, UsesSha384) = (id, name, exchange, aead, keyLength, tag, usesSha384);

    /// <summary>All supported suites, in order of preference.</summary>
    public static IReadOnlyList<CipherSuite> Preferred => All;

    /// <summary>The number in the handshake.</summary>
    public ushort Id { get; }

    /// <summary>The IANA name.</summary>
    public string Name { get; }

    public KeyExchange KeyExchange { get; }

    public Aead Aead { get; }

    /// <summary>The length of a key in bytes.</summary>
    public int KeyLength { get; }

    /// <summary>The length of the part of the nonce that comes from the handshake, in bytes.</summary>
    public int IvLength => ExplicitNonceLength == 0 ? RecordNonce.Length : Implicit;

    /// <summary>The length of the part of the nonce that each record carries, in bytes. ChaCha20 has none (RFC 7905, section 2).</summary>
    public int ExplicitNonceLength => Aead == Aead.ChaCha20Poly1305 ? 0 : RecordNonce.Length - Implicit;

    /// <summary>The length of the tag in bytes.</summary>
    public int TagLength { get; }

    /// <summary>Whether the keys are derived with SHA-384 instead of SHA-256.</summary>
    public bool UsesSha384 { get; }

    /// <summary>Whether the server signs with an RSA key.</summary>
    public bool UsesRsa => Name.StartsWith("TLS_ECDHE_RSA_", StringComparison.Ordinal);

    /// <summary>The bytes that a record adds to its content, without its header.</summary>
    public int Overhead => ExplicitNonceLength + TagLength;

    /// <summary>Returns the suite with a number; <see langword="null"/> if this library does not accept it.</summary>
    public static CipherSuite? Find(ushort id) => Array.Find(All, suite => suite.Id == id);

    /// <summary>Returns the suite with an IANA name; <see langword="null"/> if this library does not accept it.</summary>
    public static CipherSuite? Find(string name) => Array.Find(All, suite => suite.Name == name);

    public override string ToString() => Name;
}

/// <summary>How the peers agree on the master secret.</summary>
internal enum KeyExchange : byte
{
    /// <summary>A pre-shared key alone (RFC 4279, section 2). Anyone who learns the key later can decrypt recorded sessions.</summary>
    Psk,

    /// <summary>A pre-shared key and Diffie-Hellman over an elliptic curve (RFC 5489).</summary>
    EcdhePsk,

    /// <summary>Diffie-Hellman over an elliptic curve, and certificates or raw public keys (RFC 8422).</summary>
    Certificate,
}

/// <summary>The algorithm that protects records.</summary>
internal enum Aead : byte
{
    /// <summary>AES in CCM mode (RFC 6655).</summary>
    AesCcm,

    /// <summary>AES in GCM mode (RFC 5288).</summary>
    AesGcm,

    /// <summary>ChaCha20 and Poly1305 (RFC 7905).</summary>
    ChaCha20Poly1305,
}
