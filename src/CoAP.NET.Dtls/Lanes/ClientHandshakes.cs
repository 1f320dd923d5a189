using System.Text;
using CoAP.Dtls.OpenSsl;

namespace CoAP.Dtls;

/// <summary>Creates the handshakes of a client: with a pre-shared key if there is one for the server, otherwise with certificates.</summary>
internal sealed class ClientHandshakes : IHandshakeSource
{
    private readonly DtlsClientSettings _settings;
    private readonly Lazy<SslContext> _keys;
    private readonly Lazy<SslContext> _certificates;
    private readonly KeyLog? _keyLog;
    private readonly ResumableSessions? _earlier;

    /// <exception cref="IOException">The key log cannot be written.</exception>
    public ClientHandshakes(DtlsClientSettings settings)
    {
        _settings = settings;
        var suites = settings.Suites;
        _keys = new(() => SslContext.ForPreSharedKeys(isServer: false, SuiteNames.OfKeys(suites)));
        _certificates = new(() => SslContext.ForCertificates(isServer: false, SuiteNames.OfCertificates(suites), settings.Certificate, []));
        _earlier = settings.AllowsResumption ? new ResumableSessions() : null;
        _keyLog = KeyLog.Open(settings.KeyLogFile);
    }

    public IPskStore? Keys => null;

    public void Begin(out OpenSslHandshake created, in HandshakeStart start)
    {
        PeerNames.TryReadServer(start.Server, out _, out var host);
        var key = _settings.SelectPreSharedKey is { } select ? select(host!) : _settings.PreSharedKey;
        created = new OpenSslHandshake(key is null ? _certificates.Value : _keys.Value, start.OwnId)
        {
            Check = new CertificateCheck(_settings.TrustedRoots, host, _settings.Revocation, _settings.ValidateServer),
            PskIdentity = key is null ? null : Encoding.UTF8.GetBytes(key.Identity),
            PskKey = key?.CopyKey(),
            SelectByHint = _settings.SelectPreSharedKeyByHint is { } byHint ? hint => byHint(host!, hint) : null,
            KeyLog = _keyLog,
            OffersRoutabilityCheck = _settings.UsesRoutabilityCheck,
        };
        created.SetServerName(host!);
        if (_earlier?.TryTake(start.Server, created.PskIdentity, out var earlier) == true) { created.Resume(earlier); }
        created.Begin();
    }

    public void OnDone(OpenSslHandshake handshake, in PeerIdentity peer)
    {
        if (handshake.ExportForResumption() is { } session) { _earlier?.Add(peer, handshake.PskIdentity, session); }
    }

    public void Dispose()
    {
        if (_keys.IsValueCreated) { _keys.Value.Dispose(); }
        if (_certificates.IsValueCreated) { _certificates.Value.Dispose(); }
        _keyLog?.Dispose();
    }
}
