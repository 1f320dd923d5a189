using System.Globalization;
using System.Security.Cryptography;
using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests.Dtls;

/// <summary>Raw public keys (RFC 7250) with libcoap over GnuTLS. Our side needs OpenSSL 3.2 or later.</summary>
[Trait("Category", "Interop")]
public sealed class LibcoapRawKeyTests : IDisposable
{
    private readonly ECDsa _ours = ECDsa.Create(ECCurve.NamedCurves.nistP256), _theirs = ECDsa.Create(ECCurve.NamedCurves.nistP256);
    private readonly string _file = Path.GetTempFileName();

    public LibcoapRawKeyTests() => File.WriteAllText(_file, _theirs.ExportECPrivateKeyPem());

    public void Dispose()
    {
        File.Delete(_file);
        _ours.Dispose();
        _theirs.Dispose();
    }

    [SkippableFact, Trait("RFC", "7250 3"), Trait("RFC", "7252 9.1.3.2")]
    public async Task Libcoap_is_known_by_its_raw_public_key()
    {
        NeedRawKeys(Needed.CoapClientGnuTls);
        await using var server = SecuredServer.Start(new() { RawKeyPair = _ours, ValidateRawClientKey = RawPublicKey.From(_theirs).Equals });
        var uri = string.Create(CultureInfo.InvariantCulture, $"coaps://127.0.0.1:{server.Address().Port}/hello");

        var answer = await RunningProgram.RunAsync(Needed.CoapClientGnuTls, "-B", "60", "-M", _file, "-m", "get", uri);

        answer.Text.Should().Contain($"Hello, {RawPublicKey.From(_theirs).Identifier}!", "{0}", answer);
    }

    [SkippableFact, Trait("RFC", "7250 3"), Trait("RFC", "7252 9.1.3.2")]
    public async Task Our_client_knows_libcoap_by_its_raw_public_key()
    {
        NeedRawKeys(Needed.CoapServerGnuTls);
        await using var server = await LibcoapServer.StartWithRawKeyAsync(Needed.CoapServerGnuTls, _file);
        var expected = RawPublicKey.From(_theirs);
        await using var client = new CoapClient(new() { Dtls = new DtlsClientSettings { RawKeyPair = _ours, ValidateRawServerKey = (_, key) => key.Equals(expected) } });

        var time = await client.GetAsync($"coaps://127.0.0.1:{server.Port + 1}/time");

        time.IsSuccess.Should().BeTrue("{0}", server);
    }

    private static void NeedRawKeys(string program)
    {
        Needed.Programs(program);
        Skip.IfNot(DtlsPlatform.SupportsRawPublicKeys, "Raw public keys need OpenSSL 3.2.");
    }
}
