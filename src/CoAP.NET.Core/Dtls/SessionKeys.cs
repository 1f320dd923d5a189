using System.Security.Cryptography;

namespace CoAP.Dtls;

/// <summary>The keys of both directions of a session.</summary>
/// <param name="suite">The cipher suite.</param>
/// <param name="block">
/// The keys, followed by the handshake's parts of the nonces, each with the client's first (RFC 5246, section 6.3). <see cref="LengthOf"/> bytes.
/// </param>
internal readonly struct SessionKeys(CipherSuite suite, byte[] block)
{
    public CipherSuite Suite => suite;

    /// <summary>All keys, as the handshake derives them.</summary>
    public ReadOnlySpan<byte> Block => block;

    /// <summary>The key of the client's records.</summary>
    public RecordKey Client => new(suite, Block[..suite.KeyLength], Block.Slice(2 * suite.KeyLength, suite.IvLength));

    /// <summary>The key of the server's records.</summary>
    public RecordKey Server => new(suite, Block.Slice(suite.KeyLength, suite.KeyLength), Block[^suite.IvLength..]);

    /// <summary>Returns the length of all keys in bytes.</summary>
    public static int LengthOf(CipherSuite suite) => 2 * (suite.KeyLength + suite.IvLength);

    /// <summary>Returns keys with memory of their own.</summary>
    public SessionKeys Copy() => new(suite, [.. block]);

    /// <summary>Overwrites the keys.</summary>
    public void Erase() => CryptographicOperations.ZeroMemory(block);
}
