using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using CoAP.Tests.Dtls.Certificates;
using CoAP.TestSupport;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>A certificate that only DTLS uses is reloaded, and the log tells if that fails.</summary>
public sealed class CertificateReloadTests : IDisposable
{
    private readonly TestAuthority _authority = new();
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory();
    private readonly ManualClock _time = new();
    private readonly TestLog _log = new();

    public void Dispose()
    {
        _authority.Dispose();
        _folder.Delete(recursive: true);
        _log.Dispose();
    }

    [Fact]
    public async Task A_certificate_that_cannot_be_reloaded_stays_in_use_and_is_logged()
    {
        var (certificate, key) = (Path.Combine(_folder.FullName, "server.pem"), Path.Combine(_folder.FullName, "server.key"));
        using var issued = _authority.IssueServer("server");
        await File.WriteAllTextAsync(certificate, issued.ExportCertificatePem());
        await File.WriteAllTextAsync(key, issued.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem());
        var server = new DtlsServerSettings { Certificate = TlsCertificateSource.FromFiles(certificate, key, _time) };
        await using var cut = new SecuredPair(server, new() { TrustedRoots = [_authority.Root] }, isInMemory: true, settings => settings with { LoggerFactory = _log });

        await File.WriteAllTextAsync(key, "not a key");
        File.SetLastWriteTimeUtc(key, DateTime.UnixEpoch);
        _time.Advance(TimeSpan.FromSeconds(2));
        var response = await cut.Client.GetAsync(cut.Origin + "/who");

        using var other = _authority.IssueServer("server");
        await File.WriteAllTextAsync(key, other.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem());
        var load = () => TlsCertificateSource.FromFiles(certificate, key);

        load.Should().Throw<CryptographicException>().WithMessage($"*{certificate}*{key}*");
        response.PayloadText.Should().Be("nobody");
        _log.Lines(LogLevel.Warning).Should().ContainSingle(line => line.Contains(key, StringComparison.Ordinal));
    }

    [Fact]
    public void The_expiry_is_that_of_the_certificate_for_clients_without_a_host_name()
    {
        using var certificate = _authority.IssueServer("server");

        new DtlsServerSettings { Certificate = TlsCertificateSource.From(certificate) }.GetCertificateExpiry().Should().Be(new DateTimeOffset(certificate.NotAfter));
        new DtlsServerSettings { Certificate = new ByName() }.GetCertificateExpiry().Should().BeNull();
        new DtlsServerSettings().GetCertificateExpiry().Should().BeNull();
    }

    private sealed class ByName : TlsCertificateSource
    {
        public override SslStreamCertificateContext Select(string hostName) => throw new CryptographicException($"There is no certificate for '{hostName}'.");
    }
}
