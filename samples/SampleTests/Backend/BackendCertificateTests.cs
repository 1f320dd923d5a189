using CoAP;
using CoAP.Interop.Tests.Programs;
using Xunit;

namespace Backend.Tests;

/// <summary>Controllers and operators with certificates instead of keys.</summary>
public sealed class BackendCertificateTests(BackendCertificateTests.SharedBackend shared) : IClassFixture<BackendCertificateTests.SharedBackend>
{
    private readonly TestAuthority _authority = shared.Authority;
    private readonly BackendProgram _backend = shared.Program;

    [Fact]
    public async Task The_common_name_is_the_id_of_the_controller()
    {
        await using var pump = ClientOf(_authority.IssueClient("pump"));

        var own = await pump.PutAsync($"{_backend.Coaps}/controllers/pump/readings", One);
        var other = await pump.PutAsync($"{_backend.Coaps}/controllers/fan/readings", One);
        var setPoint = await pump.PutAsync($"{_backend.Coaps}/controllers/pump/setpoint", new SetPoint(5));

        new[] { own.Code, other.Code, setPoint.Code }.Should().Equal(ResponseCode.Changed, ResponseCode.Forbidden, ResponseCode.Forbidden);
    }

    [Fact]
    public async Task An_operator_reads_and_sets_and_does_not_report()
    {
        await using var ann = ClientOf(_authority.IssueClient("ann"));
        await using var pump = ClientOf(_authority.IssueClient("pump"));
        (await pump.PutAsync($"{_backend.Coaps}/controllers/pump/readings", One)).EnsureSuccess();

        var report = await ann.PutAsync($"{_backend.Coaps}/controllers/ann/readings", One);
        var setPoint = await ann.PutAsync($"{_backend.Coaps}/controllers/pump/setpoint", new SetPoint(5));
        var read = await ann.GetAsync<SetPoint>($"{_backend.Coaps}/controllers/pump/setpoint");

        (report.Code, setPoint.Code, read).Should().Be((ResponseCode.Forbidden, ResponseCode.Changed, new SetPoint(5)));
    }

    [Fact]
    public async Task A_certificate_with_the_name_of_a_key_is_neither_its_operator_nor_its_controller()
    {
        await using var bob = ClientOf(_authority.IssueClient("bob"));
        await using var fan = ClientOf(_authority.IssueClient("fan"));

        var setPoint = await bob.PutAsync($"{_backend.Coaps}/controllers/pump/setpoint", new SetPoint(5));
        var read = await bob.GetAsync($"{_backend.Coaps}/controllers/pump");
        var report = await fan.PutAsync($"{_backend.Coaps}/controllers/fan/readings", One);

        new[] { setPoint.Code, read.Code, report.Code }.Should().AllBeEquivalentTo(ResponseCode.Forbidden);
    }

    [Fact]
    public async Task A_key_with_the_name_of_a_certificate_that_operates_is_no_operator()
    {
        await using var backend = await BackendProgram.StartAsync("Keys:ann=the key of ann", "CertificateOperators:0=ann");
        await using var ann = new CoapClient(new CoapClientSettings { Formats = Payloads.Formats, Dtls = new DtlsClientSettings { PreSharedKey = new("ann", "the key of ann"u8) } });

        var setPoint = await ann.PutAsync($"{backend.Coaps}/controllers/pump/setpoint", new SetPoint(5));

        setPoint.Code.Should().Be(ResponseCode.Forbidden);
    }

    [Fact]
    public async Task A_controller_of_another_authority_is_not_let_in()
    {
        using var stranger = new TestAuthority();
        await using var pump = ClientOf(stranger.IssueClient("pump"));

        var report = async () => await pump.PutAsync($"{_backend.Coaps}/controllers/pump/readings", One);

        await report.Should().ThrowAsync<CoapSecurityException>();
    }

    private static Reading One => new(1, DateTimeOffset.UnixEpoch.AddYears(50), 10);

    private CoapClient ClientOf(IssuedCertificate certificate) => new(new CoapClientSettings
    {
        Formats = Payloads.Formats,
        Dtls = new DtlsClientSettings { Certificate = certificate.Certificate, TrustedRoots = _authority.Roots },
    });

    /// <summary>One backend for all tests, with controllers and operators of an authority.</summary>
    public sealed class SharedBackend : IAsyncLifetime
    {
        internal TestAuthority Authority { get; } = new();

        internal BackendProgram Program { get; private set; } = null!;

        public async Task InitializeAsync()
        {
            var server = Authority.IssueServer("127.0.0.1");
            Program = await BackendProgram.StartAsync(
                $"Certificate:File={server.File}", $"Certificate:KeyFile={server.KeyFile}", $"Certificate:Authority={Authority.File}",
                "CertificateOperators:0=ann", "Keys:bob=the key of bob", "Operators:0=bob", "Keys:fan=the key of fan");
        }

        public async Task DisposeAsync()
        {
            await Program.DisposeAsync();
            Authority.Dispose();
        }
    }
}
