using System.Diagnostics;
using System.Security.Cryptography.X509Certificates;
using CoAP.Tests.Dtls.Endpoints;

namespace CoAP.Tests.Dtls.Certificates;

/// <summary>The commands of the page "DTLS" make certificates with which its server and its client work.</summary>
public sealed class DocumentedCertificatesTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("coap-");

    public void Dispose() => _folder.Delete(recursive: true);

    [SkippableFact]
    public async Task The_commands_of_the_page_make_certificates_that_both_sides_accept()
    {
        Skip.If(OperatingSystem.IsWindows(), "the commands are for a shell of Unix");
        await RunAsync(CommandsOf(await File.ReadAllTextAsync(PathOfPage())));
        using var authority = X509CertificateLoader.LoadCertificateFromFile(FileOf("ca.pem"));
        using var device = X509Certificate2.CreateFromPemFile(FileOf("device.pem"), FileOf("device.key"));

        await using var cut = new SecuredPair(
            new() { Certificate = TlsCertificateSource.FromFiles(FileOf("server.pem"), FileOf("server.key")), TrustedRoots = [authority], RequiresClientCertificate = true },
            new() { TrustedRoots = [authority], Certificate = device },
            isInMemory: false);

        (await cut.Client.GetAsync(cut.Origin.Replace("127.0.0.1", "localhost", StringComparison.Ordinal) + "/who")).PayloadText.Should().Be("CN=device-7");
        (await cut.Client.GetAsync(cut.Origin + "/who")).PayloadText.Should().Be("CN=device-7");
    }

    private string FileOf(string name) => Path.Combine(_folder.FullName, name);

    private async Task RunAsync(string commands)
    {
        var start = new ProcessStartInfo("sh", ["-e", "-c", commands]) { WorkingDirectory = _folder.FullName, RedirectStandardError = true };
        using var shell = Process.Start(start)!;
        var errors = await shell.StandardError.ReadToEndAsync();
        await shell.WaitForExitAsync();
        Skip.If(shell.ExitCode == 127, "the program openssl is not installed");
        shell.ExitCode.Should().Be(0, errors);
    }

    private static string CommandsOf(string page) =>
        page.Split("```sh\n").Skip(1).Select(static rest => rest[..rest.IndexOf("```", StringComparison.Ordinal)]).Single(static block => block.Contains("openssl req", StringComparison.Ordinal));

    private static string PathOfPage()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "CoAP.NET.sln"))) { folder = folder.Parent!; }
        return Path.Combine(folder.FullName, "docs", "dtls.md");
    }
}
