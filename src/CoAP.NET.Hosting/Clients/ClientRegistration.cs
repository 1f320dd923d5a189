using Polly;

namespace CoAP.Hosting;

/// <summary>What the program has said about one client.</summary>
/// <param name="name">The name; empty for the client without a name.</param>
internal sealed class ClientRegistration(string name)
{
    /// <summary>The section of the configuration with the settings of the client.</summary>
    public string Section { get; } = name.Length == 0 ? ClientConfiguration.DefaultSection : $"{ClientConfiguration.NamedSections}:{name}";

    public List<Func<CoapClientSettings, CoapClientSettings>> Settings { get; } = [];

    /// <summary>Creates the pipeline that requests pass through; <see langword="null"/> if there is none.</summary>
    public Func<IServiceProvider, TimeProvider, ResiliencePipeline<CoapResponse>>? Pipeline { get; private set; }

    /// <exception cref="InvalidOperationException">The client already has a pipeline.</exception>
    public void SetPipeline(Func<IServiceProvider, TimeProvider, ResiliencePipeline<CoapResponse>> pipeline)
    {
        if (Pipeline is not null)
        {
            throw new InvalidOperationException(
                $"The CoAP client '{name}' already has a resilience pipeline. Call AddResilience once, and add all strategies to the one builder.");
        }
        Pipeline = pipeline;
    }
}
