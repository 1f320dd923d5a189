using System.Security.Cryptography;
using CoAP.Dtls.OpenSsl;

namespace CoAP.Dtls;

/// <summary>Creates the handshakes of a client: with a pre-shared key if there is one for the server, otherwise with raw public keys or certificates.</summary>
internal sealed class ClientHandshakes : IHandshakeSource
{
    private readonly DtlsClientSettings _settings;
    private readonly Lazy<SslContext> _keys;
    private readonly Lazy<SslContext> _certificates;
    private readonly SslContext? _rawKeys;
    private readonly KeyLog? _keyLog;
    private readonly ResumableSessions? _earlier;

    /// <exception cref="InvalidOperationException">The settings of raw public keys contradict others.</exception>
    /// <exception cref="PlatformNotSupportedException">Raw public keys need OpenSSL 3.2.</exception>
    /// <exception cref="IOException">The key log cannot be written.</exception>
    public ClientHandshakes(DtlsClientSettings settings)
    {
        ThrowIfContradictory(settings);
        _settings = settings;
        var suites = settings.Suites;
        _keys = new(() => SslContext.ForPreSharedKeys(isServer: false, SuiteNames.OfKeys(suites)));
        _certificates = new(() => SslContext.ForCertificates(isServer: false, SuiteNames.OfCertificates(suites), settings.Certificate, settings.Intermediates));
        _rawKeys = settings.ValidateRawServerKey is null
            ? null : SslContext.ForRawKeys(isServer: false, SuiteNames.OfCertificates(suites), settings.RawKeyPair?.ExportPkcs8PrivateKey());
        _earlier = settings.AllowsResumption ? new ResumableSessions() : null;
        _keyLog = KeyLog.Open(settings.KeyLogFile);
    }

    public bool IsServer => false;

    public IPskStore? Keys => null;

    public int MaxContent => _settings.MaxFragmentLength ?? DtlsRecord.MaxContent;

    public void Begin(out OpenSslHandshake created, in HandshakeStart start)
    {
        PeerNames.TryReadServer(start.Server, out var address, out var host);
        var key = _settings.SelectPreSharedKey is { } select
            ? CallbackException.Call("SelectPreSharedKey", TlsFailure.Key, () => select(host!)) : _settings.PreSharedKey;
        if (key?.WhyNotSent() is { } reason) { throw new CryptographicException(reason.TrimEnd('.')); }
        created = new OpenSslHandshake(key is not null ? _keys.Value : _rawKeys ?? _certificates.Value, start.OwnId)
        {
            Peer = new PeerCheck
            {
                Certificates = new CertificateCheck(_settings.TrustedRoots, host, _settings.Revocation, _settings.ValidateServer) { Port = address.IsIP ? address.Port : 0 },
                RawKeys = key is null && _settings.ValidateRawServerKey is { } validate
                    ? raw => CallbackException.Call("ValidateRawServerKey", TlsFailure.Certificate, () => validate(host!, raw)) : null,
            },
            PskIdentity = key is null ? null : key.IdentityBytes.ToArray(),
            PskKey = key?.CopyKey(),
            SelectByHint = _settings.SelectPreSharedKeyByHint is { } byHint ? hint => byHint(host!, hint) : null,
            HasCertificate = _settings is not { Certificate: null, RawKeyPair: null },
            KeyLog = _keyLog,
            OffersRoutabilityCheck = _settings.UsesRoutabilityCheck,
        };
        created.SetServerName(host!);
        if (_settings.MaxFragmentLength is { } most) { created.SetMaxContent(most); }
        if (_earlier?.TryTake(start.Server, created.PskIdentity, out var earlier) == true)
        {
            created.Resume(earlier);
            CryptographicOperations.ZeroMemory(earlier);
        }
        created.Begin();
    }

    public void OnDone(OpenSslHandshake handshake, in PeerIdentity peer)
    {
        if (_earlier is not null && handshake.ExportForResumption() is { } session) { _earlier.Add(peer, handshake.PskIdentity, session); }
    }

    public void OnFatalAlert(SecuredPeer peer) => _earlier?.Remove(peer.Identity.Peer);

    public void Dispose()
    {
        if (_keys.IsValueCreated) { _keys.Value.Dispose(); }
        if (_certificates.IsValueCreated) { _certificates.Value.Dispose(); }
        _rawKeys?.Dispose();
        _earlier?.Dispose();
        _keyLog?.Dispose();
    }

    private static void ThrowIfContradictory(DtlsClientSettings settings)
    {
        if (settings is { RawKeyPair: not null, ValidateRawServerKey: null })
        {
            throw new InvalidOperationException(
                "DtlsClientSettings.RawKeyPair is set without ValidateRawServerKey. Set both: the callback decides whether the key of a server is trusted.");
        }
        if (settings.ValidateRawServerKey is not null && settings is not { Certificate: null, TrustedRoots: null, ValidateServer: null })
        {
            throw new InvalidOperationException(
                "DtlsClientSettings sets ValidateRawServerKey as well as Certificate, TrustedRoots or ValidateServer. "
                + "A client uses either raw public keys or certificates.");
        }
    }
}
