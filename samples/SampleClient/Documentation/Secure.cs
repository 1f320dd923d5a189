using System.Security.Cryptography.X509Certificates;
using CoAP;

namespace SampleClient;

/// <summary>The client of the page "Security".</summary>
internal static class Secure
{
    public static async Task RunAsync(CancellationToken cancellationToken)
    {
        var tls = new TlsClientSettings
        {
            TrustedRoots = [X509CertificateLoader.LoadCertificateFromFile("ca.pem")],
            Certificate = X509Certificate2.CreateFromPemFile("device.pem", "device.key"),
        };
        await using var client = new CoapClient(new CoapClientSettings { Tls = tls });

        try
        {
            var hello = await client.GetAsync("coaps+tcp://localhost/hello", cancellationToken);
            Console.WriteLine(hello.PayloadText);
        }
        catch (CoapSecurityException refused)
        {
            Console.WriteLine($"{refused.Failure}: {refused.Message}");
        }
    }

    public static async Task<string> RunDtlsAsync(byte[] key, CancellationToken cancellationToken)
    {
        var dtls = new DtlsClientSettings { PreSharedKey = new PreSharedKey("device-7", key) };
        await using var client = new CoapClient(new CoapClientSettings { Dtls = dtls });
        var hello = await client.GetAsync("coaps://localhost/hello", cancellationToken);
        return hello.PayloadText;
    }
}
