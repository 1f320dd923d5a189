using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace CoAP.Hosting.Tests.Health;

public sealed class CoapServerHealthCheckTests
{
    private readonly InMemoryNetwork _network = new();

    [Fact]
    public async Task A_lane_that_a_handler_blocks_is_unhealthy_and_recovers()
    {
        await using var server = ServerWith(new());
        using var release = new ManualResetEventSlim();
        var entered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        server.Resources.At("block").Get(_ => { entered.SetResult(); release.Wait(); return Response.Changed; }, HandlerMode.Inline);
        server.Start();
        await using var client = new CoapClient(new() { Network = _network });
        var request = client.GetAsync("coap://peer/block").AsTask();
        await entered.Task;

        var blocked = await CheckAsync(server, new() { LaneTimeout = TimeSpan.FromMilliseconds(50) });
        release.Set();
        await request;
        var free = await CheckAsync(server, new() { LaneTimeout = TimeSpan.FromSeconds(30) });

        blocked.Status.Should().Be(HealthStatus.Unhealthy);
        blocked.Description.Should().Contain("has not answered for 0.05 s").And.Contain("HandlerMode.Buffered");
        free.Status.Should().Be(HealthStatus.Healthy);
    }

    [Fact]
    public async Task A_server_that_has_not_started_or_has_stopped_is_unhealthy()
    {
        await using var server = ServerWith(new());

        var before = await CheckAsync(server);
        server.Start();
        await server.StopAsync();
        var after = await CheckAsync(server);

        new[] { before.Status, after.Status }.Should().AllBeEquivalentTo(HealthStatus.Unhealthy);
        after.Description.Should().Be("The CoAP server is not running.");
    }

    [Fact]
    public async Task A_host_without_a_server_is_unhealthy()
    {
        (await CheckAsync(null)).Description.Should().Contain("AddCoapServer");
    }

    [Fact]
    public async Task A_running_server_is_healthy_and_shows_its_figures()
    {
        await using var server = ServerWith(new() { MaxPendingRequests = 77 });
        server.Start();

        var result = await CheckAsync(server);

        result.Status.Should().Be(HealthStatus.Healthy);
        result.Data["endpoints"].Should().Be("in-memory://peer");
        result.Data["requests.limit"].Should().Be(77L);
        result.Data["lanes.answering"].Should().Be(result.Data["lanes"]);
    }

    [Fact]
    public async Task A_queue_that_is_nearly_full_is_degraded()
    {
        await using var server = ServerWith(new() { MaxHandlerQueue = 4, Ledger = new() { UnverifiedShare = 0.5 } });
        var release = new TaskCompletionSource<CoapResponse>();
        using var arrived = new CountdownEvent(2);
        server.Resources.At("wait").Get(_ => { arrived.Signal(); return release.Task.GetAwaiter().GetResult(); }, HandlerMode.Buffered);
        server.Start();
        await using var client = new CoapClient(new() { Network = _network, Transmission = new() { NStart = 2 } });
        var requests = new[] { client.GetAsync("coap://peer/wait").AsTask(), client.GetAsync("coap://peer/wait").AsTask() };
        arrived.Wait();

        var result = await CheckAsync(server, new() { MaxQueueFraction = 0.4 });
        release.SetResult(Response.Changed);
        await Task.WhenAll(requests);

        result.Status.Should().Be(HealthStatus.Degraded);
        result.Description.Should().Contain("2 of at most 4 requests are in the queue of handlers (MaxHandlerQueue)");
    }

    [Theory]
    [InlineData(15, HealthStatus.Healthy)]
    [InlineData(13, HealthStatus.Degraded)]
    [InlineData(-1, HealthStatus.Unhealthy)]
    public async Task The_end_of_the_certificate_is_found_in_time(int days, HealthStatus expected)
    {
        using var certificate = CertificateUntil(DateTimeOffset.UtcNow.AddDays(days).AddHours(1));
        await using var server = ServerWith(new() { Tls = new() { Certificate = TlsCertificateSource.From(certificate) } });
        server.Start();

        var result = await CheckAsync(server);

        result.Status.Should().Be(expected);
        result.Data.Should().ContainKey("certificate.expires");
    }

    [Theory]
    [InlineData(15, HealthStatus.Healthy, "endpoints are bound")]
    [InlineData(13, HealthStatus.Degraded, "The DTLS certificate expires on ")]
    [InlineData(-1, HealthStatus.Unhealthy, "The DTLS certificate expired on ")]
    public async Task The_end_of_the_certificate_of_DTLS_is_found_in_time(int days, HealthStatus expected, string text)
    {
        using var certificate = CertificateUntil(DateTimeOffset.UtcNow.AddDays(days).AddHours(1));
        await using var server = ServerWith(new() { Dtls = new DtlsServerSettings { Certificate = TlsCertificateSource.From(certificate) } });
        server.Start();

        var result = await CheckAsync(server);

        result.Status.Should().Be(expected);
        result.Description.Should().Contain(text);
        result.Data["dtls.certificate.expires"].Should().Be(new DateTimeOffset(certificate.NotAfter));
    }

    private CoapServer ServerWith(CoapServerSettings settings) =>
        new(settings with { Network = _network, Endpoints = [ServerEndpoint.InMemory("peer")], Lanes = 2 });

    private static async Task<HealthReportEntry> CheckAsync(CoapServer? server, CoapHealthSettings? settings = null)
    {
        var services = new ServiceCollection();
        services.AddLogging();
        if (server is not null) { services.AddSingleton(server); }
        services.AddHealthChecks().AddCoapServer(settings: settings ?? new() { LaneTimeout = TimeSpan.FromSeconds(30) });
        await using var provider = services.BuildServiceProvider();
        return (await provider.GetRequiredService<HealthCheckService>().CheckHealthAsync()).Entries["coap-server"];
    }

    private static X509Certificate2 CertificateUntil(DateTimeOffset end)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        return new CertificateRequest("CN=peer", key, HashAlgorithmName.SHA256).CreateSelfSigned(end.AddYears(-1), end);
    }
}
