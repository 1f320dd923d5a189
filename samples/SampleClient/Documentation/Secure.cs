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
}
