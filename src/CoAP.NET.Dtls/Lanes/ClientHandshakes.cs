using System.Text;
using CoAP.Dtls.OpenSsl;

namespace CoAP.Dtls;

/// <summary>Creates the handshakes of a client: with a pre-shared key if there is one for the server, otherwise with certificates.</summary>
internal sealed class ClientHandshakes : IHandshakeSource
{
    private readonly DtlsClientSettings _settings;
    private readonly Lazy<SslContext> _keys;
    private readonly Lazy<SslContext> _certificates;

    public ClientHandshakes(DtlsClientSettings settings)
    {
        _settings = settings;
        var suites = settings.Suites;
        _keys = new(() => SslContext.ForPreSharedKeys(isServer: false, SuiteNames.OfKeys(suites)));
        _certificates = new(() => SslContext.ForCertificates(isServer: false, SuiteNames.OfCertificates(suites), settings.Certificate, []));
    }

    public IPskStore? Keys => null;

    public void Begin(out OpenSslHandshake created, in HandshakeStart start)
    {
        var host = start.Host!;
        var key = _settings.SelectPreSharedKey is { } select ? select(host) : _settings.PreSharedKey;
        created = new OpenSslHandshake(key is null ? _certificates.Value : _keys.Value, start.OwnId)
        {
            Check = new CertificateCheck(_settings.TrustedRoots, host, _settings.Revocation),
            PskIdentity = key is null ? null : Encoding.UTF8.GetBytes(key.Identity),
            PskKey = key?.CopyKey(),
        };
        created.SetServerName(host);
        created.Begin();
    }
}
