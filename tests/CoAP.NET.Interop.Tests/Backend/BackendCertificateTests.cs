using Backend;
using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests.Backend;

/// <summary>Controllers and operators with certificates instead of keys.</summary>
[Collection("Interop")]
[Trait("Category", "Interop")]
public sealed class BackendCertificateTests : IAsyncLifetime
{
    private readonly TestAuthority _authority = new();
    private BackendProgram _backend = null!;

    public async Task InitializeAsync()
    {
        var server = _authority.IssueServer("127.0.0.1");
        _backend = await BackendProgram.StartAsync(
            $"Certificate:File={server.File}", $"Certificate:KeyFile={server.KeyFile}", $"Certificate:Authority={_authority.File}", "Operators:0=ann");
    }

    public async Task DisposeAsync()
    {
        await _backend.DisposeAsync();
        _authority.Dispose();
    }

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

        var report = await ann.PutAsync($"{_backend.Coaps}/controllers/ann/readings", One);
        var setPoint = await ann.PutAsync($"{_backend.Coaps}/controllers/pump/setpoint", new SetPoint(5));
        var read = await ann.GetAsync<SetPoint>($"{_backend.Coaps}/controllers/pump/setpoint");

        (report.Code, setPoint.Code, read).Should().Be((ResponseCode.Forbidden, ResponseCode.Changed, new SetPoint(5)));
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
}
