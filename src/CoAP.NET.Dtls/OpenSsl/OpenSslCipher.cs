using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;

namespace CoAP.Dtls.OpenSsl;

/// <summary>
/// Protects the records of all sessions of a lane with one context for each algorithm and direction, so that a session needs none. What OpenSSL does not have
/// is left to the runtime. One thread at a time.
/// </summary>
internal sealed class OpenSslCipher : IRecordCipher, IDisposable
{
    [ThreadStatic]
    private static OpenSslCipher? _ofThread;

    private readonly Dictionary<(CipherSuite Suite, bool Encrypts), EvpContext?> _contexts = [];
    private readonly PlatformCipher _fallback = new();
    private (CipherSuite? Suite, EvpContext? Context) _lastSealed, _lastOpened;     // most records have the suite of the one before

    public OpenSslCipher() => OpenSslLibrary.Require();

    /// <summary>The cipher of the handshakes that are computed on this thread.</summary>
    public static OpenSslCipher OfThread => _ofThread ??= new();

    public void Seal(in RecordKey key, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> associatedData, Span<byte> text, Span<byte> tag)
    {
        if (TryFind(key.Suite, encrypts: true, ref _lastSealed, out var context)) { context.Seal(key.Key, nonce, associatedData, text, tag); }
        else { _fallback.Seal(key, nonce, associatedData, text, tag); }
    }

    public bool TryOpen(in RecordKey key, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> associatedData, Span<byte> text, ReadOnlySpan<byte> tag) =>
        TryFind(key.Suite, encrypts: false, ref _lastOpened, out var context)
            ? context.TryOpen(key.Key, nonce, associatedData, text, tag)
            : _fallback.TryOpen(key, nonce, associatedData, text, tag);

    public void Dispose()
    {
        foreach (var context in _contexts.Values) { context?.Dispose(); }
        _contexts.Clear();
        (_lastSealed, _lastOpened) = (default, default);
    }

    private bool TryFind(
        CipherSuite suite, bool encrypts, ref (CipherSuite? Suite, EvpContext? Context) last, [NotNullWhen(true)] out EvpContext? context)
    {
        if (last.Suite != suite)
        {
            if (!_contexts.TryGetValue((suite, encrypts), out var found)) { _contexts[(suite, encrypts)] = found = Create(suite, encrypts); }
            last = (suite, found);
        }
        context = last.Context;
        return context is not null;
    }

    private static EvpContext? Create(CipherSuite suite, bool encrypts)
    {
        try { return new EvpContext(NameOf(suite.Aead, suite.KeyLength), suite.Aead == Aead.AesCcm, suite.TagLength, encrypts); }
        catch (CryptographicException) { return null; }     // a system can be restricted to some algorithms
    }

    private static string NameOf(Aead algorithm, int keyLength) => algorithm switch
    {
        Aead.AesCcm => keyLength == 32 ? "AES-256-CCM" : "AES-128-CCM",
        Aead.AesGcm => keyLength == 32 ? "AES-256-GCM" : "AES-128-GCM",
        _ => "ChaCha20-Poly1305",
    };
}
