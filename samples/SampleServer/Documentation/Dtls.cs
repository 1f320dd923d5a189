using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using CoAP;

namespace SampleServer;

/// <summary>Servers with DTLS, as the page "DTLS" shows them.</summary>
internal static class Dtls
{
    public static async Task RunAsync(Func<string, CancellationToken, ValueTask<byte[]?>> findKeyAsync, CancellationToken cancellationToken)
    {
        var settings = new CoapServerSettings
        {
            Endpoints = [ServerEndpoint.Dtls(new IPEndPoint(IPAddress.Loopback, 5684))],
            Dtls = new DtlsServerSettings { PreSharedKeys = PskStore.From(findKeyAsync) },
        };
        await using var server = new CoapServer(settings);
        server.Resources.At("hello").Get(request => Response.Content($"Hello, {request.Credentials!.PreSharedKeyIdentity}!"));
        await server.RunAsync(cancellationToken);
    }

    public static DtlsServerSettings UseCertificates() => new()
    {
        Certificate = TlsCertificateSource.FromFiles("server.pem", "server.key"),
        TrustedRoots = [X509CertificateLoader.LoadCertificateFromFile("ca.pem")],
        RequiresClientCertificate = true,
    };

    public static DtlsServerSettings UseRawKeys(ECDsa keyPair, HashSet<string> devices) => new()
    {
        RawKeyPair = keyPair,
        ValidateRawClientKey = key => devices.Contains(key.Identifier),
    };

    public static DtlsServerSettings KeepSessions(IPskStore keys, byte[] secret) => new()
    {
        PreSharedKeys = keys,
        SessionStore = new FileDtlsSessionStore("sessions.bin", secret),
        TicketSecret = secret,
        ContinuesPeer = credentials => credentials.PreSharedKeyIdentity?.StartsWith("device-", StringComparison.Ordinal) == true,
    };
}
