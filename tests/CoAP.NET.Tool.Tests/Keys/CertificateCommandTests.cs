using System.Text.Json;

namespace CoAP.Tool.Tests.Keys;

public sealed class CertificateCommandTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [SkippableFact]
    [Trait("RFC", "7252 9.1.3.3")]
    public async Task Openssl_accepts_a_certificate_of_the_authority()
    {
        await KeygenAsync("ca");
        await KeygenAsync("certificate", "--name", "plant.example", "--ca", _folder["ca.pem"], "--ca-key", _folder["ca.key"]);

        (await OpenSsl.RunAsync("verify", "-x509_strict", "-purpose", "sslserver", "-verify_hostname", "plant.example", "-CAfile", _folder["ca.pem"], _folder["plant.example.pem"]))
            .Trim().Should().EndWith(": OK");
        (await OpenSsl.RunAsync("verify", "-purpose", "sslclient", "-CAfile", _folder["ca.pem"], _folder["plant.example.pem"])).Trim().Should().EndWith(": OK");
    }

    [SkippableFact]
    public async Task Openssl_refuses_it_without_the_authority()
    {
        await KeygenAsync("ca");
        await KeygenAsync("certificate", "--name", "plant.example", "--ca", _folder["ca.pem"], "--ca-key", _folder["ca.key"]);

        (await OpenSsl.RunAsync("verify", _folder["plant.example.pem"])).Should().Contain("unable to get local issuer certificate");
    }

    [SkippableFact]
    public async Task Has_the_curve_the_names_and_the_time_that_were_asked_for()
    {
        await KeygenAsync("certificate", "--name", "pump 7", "--dns", "pump.example", "--ip", "192.0.2.7", "--ip", "2001:db8::7", "--days", "30");

        var text = await OpenSsl.RunAsync("x509", "-in", _folder["pump_7.pem"], "-noout", "-text");

        text.Should().Contain("CN = pump 7").And.Contain("ASN1 OID: prime256v1").And.Contain("ecdsa-with-SHA256").And.Contain("Digital Signature")
            .And.Contain("DNS:pump.example, IP Address:192.0.2.7, IP Address:2001:DB8:0:0:0:0:0:7");
        (await OpenSsl.RunAsync("x509", "-in", _folder["pump_7.pem"], "-noout", "-checkend", $"{29 * 86400}")).Should().Contain("will not expire");
        (await OpenSsl.RunAsync("x509", "-in", _folder["pump_7.pem"], "-noout", "-checkend", $"{31 * 86400}")).Should().Contain("will expire");
    }

    [SkippableFact]
    public async Task The_key_belongs_to_the_certificate()
    {
        await KeygenAsync("certificate", "--name", "a");

        var ofKey = await OpenSsl.RunAsync("pkey", "-in", _folder["a.key"], "-pubout");
        (await OpenSsl.RunAsync("x509", "-in", _folder["a.pem"], "-noout", "-pubkey")).Should().Be(ofKey);
    }

    [SkippableFact]
    public async Task Only_the_owner_can_read_a_key()
    {
        Skip.If(OperatingSystem.IsWindows(), "Windows has no such modes.");
        await KeygenAsync("ca");
        await KeygenAsync("raw");

        foreach (var key in new[] { "ca.key", "raw.key" }) { ModeOf(_folder[key]).Should().Be(UnixFileMode.UserRead | UnixFileMode.UserWrite); }
    }

    [Fact]
    public async Task Replaces_files_only_with_force()
    {
        await KeygenAsync("ca");
        var key = await File.ReadAllTextAsync(_folder["ca.key"]);

        var refused = await ToolRun.OfAsync("keygen", "ca", "--out", _folder.Path);
        refused.ExitCode.Should().Be(2);
        refused.Error.Should().Contain("ca.key").And.Contain("--force");
        (await File.ReadAllTextAsync(_folder["ca.key"])).Should().Be(key);
        await KeygenAsync("ca", "--force");
        (await File.ReadAllTextAsync(_folder["ca.key"])).Should().NotBe(key);
        Directory.GetFiles(_folder.Path).Should().HaveCount(2);
    }

    [Theory]
    [InlineData("not the certificate of an authority", "--ca", "a.pem", "--ca-key", "a.key")]
    [InlineData("must be given together", "--ca", "a.pem")]
    [InlineData("cannot be read", "--ca", "none.pem", "--ca-key", "a.key")]
    [InlineData("'300' ", "--dns", "ok.example", "--ip", "300")]
    [InlineData("host name", "--dns", "not a host")]
    [InlineData("1 to 36500", "--days", "0")]
    public async Task Wrong_arguments_are_named(string reason, params string[] wrong)
    {
        await KeygenAsync("certificate", "--name", "a");
        string[] arguments = [.. wrong.Select(value => value.EndsWith(".pem") || value.EndsWith(".key") ? _folder[value] : value)];

        var run = await ToolRun.OfAsync(["keygen", "certificate", "--name", "b", "--out", _folder.Path, .. arguments]);

        run.ExitCode.Should().Be(2);
        run.Error.Should().Contain(reason.TrimEnd());
        File.Exists(_folder["b.key"]).Should().BeFalse();
    }

    [SkippableFact]
    public async Task The_identifier_of_a_raw_key_is_the_hash_of_the_public_key()
    {
        var run = await KeygenAsync("raw", "--name", "pump", "--json");

        using var json = JsonDocument.Parse(run.Output);
        await OpenSsl.RunAsync("pkey", "-pubin", "-in", _folder["pump.pub"], "-outform", "DER", "-out", _folder["pump.der"]);
        var hash = (await OpenSsl.RunAsync("dgst", "-sha256", "-r", _folder["pump.der"]))[..30];
        var expected = Convert.ToBase64String(Convert.FromHexString(hash)).Replace('+', '-').Replace('/', '_');
        json.RootElement.GetProperty("identifier").GetString().Should().EndWith($"sha-256-120;{expected}");
    }

    private static UnixFileMode ModeOf(string path) => OperatingSystem.IsWindows() ? default : File.GetUnixFileMode(path);

    private async Task<ToolRun> KeygenAsync(params string[] arguments)
    {
        var run = await ToolRun.OfAsync(["keygen", .. arguments, "--out", _folder.Path]);
        run.ExitCode.Should().Be(0, run.Error);
        return run;
    }
}
