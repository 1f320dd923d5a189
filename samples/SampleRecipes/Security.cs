using System.Security.Cryptography.X509Certificates;
using CoAP;

namespace SampleRecipes;

/// <summary>The recipe of TLS with certificates on both sides.</summary>
internal static class Security
{
    public static async Task AskAsync()
    {
        using var authority = X509CertificateLoader.LoadCertificateFromFile("ca.pem");
        await using var server = new CoapServer(new CoapServerSettings
        {
            Endpoints = [ServerEndpoint.Parse("coaps+tcp://*")],
            Tls = new() { Certificate = TlsCertificateSource.FromFiles("server.pem", "server.key"), TrustedRoots = [authority], RequiresClientCertificate = true },
        });
        server.Resources.At("who").Get(request => Response.Content(request.User.Identity!.Name!));
        server.Start();
        var device = X509Certificate2.CreateFromPemFile("device.pem", "device.key");
        await using var client = new CoapClient(new CoapClientSettings { Tls = new() { TrustedRoots = [authority], Certificate = device } });
        Console.WriteLine((await client.GetAsync("coaps+tcp://localhost/who")).PayloadText);
    }
}
