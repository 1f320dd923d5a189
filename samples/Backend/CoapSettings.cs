using System.Net;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using CoAP;

namespace Backend;

/// <summary>The endpoints, keys and formats of the CoAP server.</summary>
internal static class CoapSettings
{
    public static CoapServerSettings For(BackendSettings settings, CoapServerSettings defaults)
    {
        var endpoints = new List<ServerEndpoint>();
        if (settings.AllowsPlainLoopback) { endpoints.Add(ServerEndpoint.Udp(new IPEndPoint(IPAddress.Loopback, settings.Port))); }
        if (settings.HasSecurity) { endpoints.Add(ServerEndpoint.Dtls(new IPEndPoint(IPAddress.Parse(settings.Address), settings.SecurePort))); }
        return defaults with
        {
            Endpoints = endpoints,
            Formats = Payloads.Formats,
            Dtls = settings.HasSecurity ? Secure(settings) : null,
        };
    }

    private static DtlsServerSettings Secure(BackendSettings settings) => new()
    {
        PreSharedKeys = settings.Keys.Count == 0 ? null : PskStore.From(settings.Keys.Select(static one => new PreSharedKey(one.Key, BytesOf(one.Key, one.Value)))),
        Certificate = settings.Certificate is { } files ? TlsCertificateSource.FromFiles(files.File, files.KeyFile) : null,
        TrustedRoots = settings.Certificate is { } authority ? [X509CertificateLoader.LoadCertificateFromFile(authority.Authority)] : null,
        RequiresClientCertificate = settings.Certificate is not null,
    };

    private static byte[] BytesOf(string identity, string key)
    {
        try { return key.StartsWith("0x", StringComparison.Ordinal) ? Convert.FromHexString(key[2..]) : Encoding.UTF8.GetBytes(key); }
        catch (FormatException exception)
        {
            throw new InvalidOperationException($"{BackendSettings.Section}:{nameof(BackendSettings.Keys)}:{identity} is not hexadecimal after 0x.", exception);
        }
    }
}
