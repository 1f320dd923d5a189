using CoAP.Hosting.Tests.Clients;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace CoAP.Hosting.Tests.Health;

public sealed class CoapPeerHealthCheckTests
{
    [Theory]
    [InlineData("coap://nobody/x", HealthStatus.Unhealthy)]
    [InlineData("coap://peer/nothing", HealthStatus.Degraded)]
    [InlineData("coap://peer/light", HealthStatus.Healthy)]
    public async Task The_answer_decides(string uri, HealthStatus expected)
    {
        await using var host = ClientHost.With(services =>
        {
            services.AddLogging();
            services.AddCoapClient();
            services.AddHealthChecks().AddCoapPeer(uri, timeout: TimeSpan.FromMilliseconds(uri.Contains("nobody") ? 50 : 30_000));
        });

        var report = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync();

        report.Status.Should().Be(expected);
    }

    [Fact]
    public async Task Without_a_client_the_check_fails_and_says_what_to_call()
    {
        var services = new ServiceCollection().AddLogging();
        services.AddHealthChecks().AddCoapPeer("coap://peer/light");
        await using var provider = services.BuildServiceProvider();

        var report = await provider.GetRequiredService<HealthCheckService>().CheckHealthAsync();

        report.Status.Should().Be(HealthStatus.Unhealthy);
        report.Entries["coap-peer"].Description.Should().Contain("Call services.AddCoapClient().");
    }
}
