using System.Security.Cryptography;
using CoAP.Dtls;

namespace CoAP;

/// <summary>A session with its keys, for a store or for another process.</summary>
/// <remarks>Immutable. <see cref="object.ToString"/> contains no keys.</remarks>
public sealed class DtlsSessionState
{
    internal DtlsSessionState(SessionContent content) => Content = content;

    internal DtlsSessionState(SessionContent content, string id)
        : this(content) => Id = id;

    /// <summary>The name of the session, unique within the endpoint. Use it as the key in a database.</summary>
    public string Id
    {
        get => field ??= Content.Id;
        private init;
    }

    /// <summary>The identity of the peer.</summary>
    public PeerIdentity Peer => Content.Identity.Peer;

    /// <summary>The time of the last record from the peer when the session was saved. Later records may have arrived since then.</summary>
    public DateTimeOffset HeardAt => Content.HeardAt;

    /// <summary>
    /// The number of processes that have owned the session before. It is part of the record numbers, so that two processes that both believe they own the
    /// session never use the same nonce.
    /// </summary>
    public int Generation => Content.Generation;

    internal SessionContent Content { get; }

    /// <summary>Reads what <see cref="Encrypt"/> has written.</summary>
    /// <param name="bytes">The encrypted session.</param>
    /// <param name="secret">The secret.</param>
    /// <exception cref="CryptographicException">The secret is another one, or the bytes were changed.</exception>
    /// <exception cref="ArgumentException">The secret is shorter than 32 bytes.</exception>
    public static DtlsSessionState Decrypt(ReadOnlySpan<byte> bytes, ReadOnlySpan<byte> secret)
    {
        using var box = new SecretBox(secret);
        if (bytes.Length < SecretBox.Overhead) { throw new CryptographicException($"An encrypted session has at least {SecretBox.Overhead} bytes, not {bytes.Length}."); }
        var text = new byte[bytes.Length - SecretBox.Overhead];
        try
        {
            box.Open(bytes, place: default, text);
            return new DtlsSessionState(SessionContent.Read(text));
        }
        finally { CryptographicOperations.ZeroMemory(text); }
    }

    /// <summary>Returns the session in encrypted form, for example for a database or for another process.</summary>
    /// <param name="secret">The secret, at least 32 random bytes.</param>
    /// <exception cref="ArgumentException">The secret is shorter than 32 bytes.</exception>
    public byte[] Encrypt(ReadOnlySpan<byte> secret)
    {
        using var box = new SecretBox(secret);
        using var writer = new SecretWriter();
        Content.Write(writer);
        var bytes = new byte[writer.Length + SecretBox.Overhead];
        box.Seal(writer.Written, place: default, bytes);
        return bytes;
    }

    /// <summary>
    /// Returns the session for its next owner, with the next generation. Before you use the result, store it atomically, on the condition that the stored
    /// generation is still <see cref="Generation"/>. Returns <see langword="null"/> if there is no further generation.
    /// </summary>
    public DtlsSessionState? TakeOver() =>
        Content.Generation == ushort.MaxValue ? null : new DtlsSessionState(Content with { Generation = (ushort)(Content.Generation + 1) }, Id);

    /// <summary>Returns the name and the generation.</summary>
    public override string ToString() => $"{Id} (generation {Generation})";
}
