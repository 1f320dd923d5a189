using CoAP;
using CoAP.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Polly;
using Polly.CircuitBreaker;

namespace SampleWorker.Documentation;

/// <summary>The snippets of the page on clients in a host.</summary>
internal static class Clients
{
    public static void Default(IServiceCollection services)
    {
        services.AddCoapClient(settings => settings with { Timeout = TimeSpan.FromSeconds(20) });
    }

    public static void Named(IServiceCollection services)
    {
        services.AddCoapClient("plant", settings => settings with { BaseUri = "coap://plant.example" });
    }

    public static void Typed(IServiceCollection services)
    {
        services.AddCoapClient<Sensors>(settings => settings with { BaseUri = "coap://plant.example" });
    }

    public static void Standard(IServiceCollection services)
    {
        services.AddCoapClient<Sensors>(settings => settings with { BaseUri = "coap://plant.example", Timeout = TimeSpan.FromSeconds(10) })
            .AddResilience(CoapResilience.Standard);
    }

    public static void Breaker(IServiceCollection services)
    {
        services.AddCoapClient("plant").AddResilience(pipeline => pipeline
            .AddRetry(CoapResilience.Retry(maxRetries: 2))
            .AddCircuitBreaker(new CircuitBreakerStrategyOptions<CoapResponse>
            {
                FailureRatio = 0.5,
                MinimumThroughput = 10,
                BreakDuration = TimeSpan.FromSeconds(30),
                ShouldHandle = static one => new(CoapResilience.IsTransient(one.Outcome)),
            }));
    }

    public static void Bound(IServiceCollection services)
    {
        services.AddCoapClient("plant")
            .BindConfiguration("Plant:Coap")
            .Configure((settings, provider) => settings with { TimeProvider = provider.GetRequiredKeyedService<TimeProvider>("plant") });
    }

    public static void InMemory(IServiceCollection services, InMemoryNetwork network)
    {
        services.ConfigureCoapClient(settings => settings with { Network = network });
    }

    public static void Health(IServiceCollection services)
    {
        services.AddHealthChecks()
            .AddCoapServer()
            .AddCoapPeer("coap://plant.example/status", name: "plant");
    }
}

internal sealed class Plant([FromKeyedServices("plant")] CoapClient client)
{
    public CoapObservation Watch(int id) => client.ObserveAsync($"/sensors/{id}");
}
