using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using CoAP;

namespace SampleClient;

/// <summary>Clients with DTLS, as the page "DTLS" shows them.</summary>
internal static class Dtls
{
    public static async Task<string> RunAsync(byte[] key, CancellationToken cancellationToken)
    {
        var dtls = new DtlsClientSettings { PreSharedKey = new PreSharedKey("device-7", key) };
        await using var client = new CoapClient(new CoapClientSettings { Dtls = dtls });
        var hello = await client.GetAsync("coaps://localhost/hello", cancellationToken);
        return hello.PayloadText;
    }

    public static DtlsClientSettings UseCertificates() => new()
    {
        TrustedRoots = [X509CertificateLoader.LoadCertificateFromFile("ca.pem")],
        Certificate = X509Certificate2.CreateFromPemFile("device.pem", "device.key"),
    };

    public static DtlsClientSettings UseRawKeys(ECDsa keyPair, RawPublicKey ofServer) => new()
    {
        RawKeyPair = keyPair,
        ValidateRawServerKey = (host, key) => key.Equals(ofServer),
    };
}
