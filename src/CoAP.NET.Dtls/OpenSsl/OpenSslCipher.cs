using System.Security.Cryptography;

namespace CoAP.Dtls.OpenSsl;

/// <summary>Protects the records of all sessions of a lane with one context for each algorithm and direction, so that a session needs none.</summary>
internal sealed class OpenSslCipher : IRecordCipher, IDisposable
{
    private readonly Dictionary<(Aead Algorithm, int KeyLength, int TagLength, bool Encrypts), EvpContext> _contexts = [];

    public OpenSslCipher() => OpenSslLibrary.Require();

    public bool Supports(Aead algorithm)
    {
        try
        {
            Find(algorithm, KeyLengthOf(algorithm), tagLength: 16, encrypts: true);
            return true;
        }
        catch (CryptographicException) { return false; }
    }

    public void Seal(in RecordKey key, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> associatedData, Span<byte> text, Span<byte> tag)
    {
        if (!Find(key, encrypts: true).TryRun(key.Key, nonce, associatedData, text, tag)) { throw new CryptographicException("OpenSSL could not encrypt a record."); }
    }

    public bool TryOpen(in RecordKey key, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> associatedData, Span<byte> text, ReadOnlySpan<byte> tag)
    {
        Span<byte> copy = stackalloc byte[tag.Length];
        tag.CopyTo(copy);
        return Find(key, encrypts: false).TryRun(key.Key, nonce, associatedData, text, copy);
    }

    public void Dispose()
    {
        foreach (var context in _contexts.Values) { context.Dispose(); }
        _contexts.Clear();
    }

    private static int KeyLengthOf(Aead algorithm) => algorithm == Aead.ChaCha20Poly1305 ? 32 : 16;

    private static string NameOf(Aead algorithm, int keyLength) => algorithm switch
    {
        Aead.AesCcm => keyLength == 32 ? "AES-256-CCM" : "AES-128-CCM",
        Aead.AesGcm => keyLength == 32 ? "AES-256-GCM" : "AES-128-GCM",
        _ => "ChaCha20-Poly1305",
    };

    private EvpContext Find(in RecordKey key, bool encrypts) => Find(key.Suite.Aead, key.Suite.KeyLength, key.Suite.TagLength, encrypts);

    private EvpContext Find(Aead algorithm, int keyLength, int tagLength, bool encrypts)
    {
        var id = (algorithm, keyLength, tagLength, encrypts);
        if (_contexts.TryGetValue(id, out var context)) { return context; }
        return _contexts[id] = new EvpContext(NameOf(algorithm, keyLength), algorithm == Aead.AesCcm, encrypts);
    }
}
