using Polly;

namespace CoAP.Hosting;

/// <summary>What the program has said about one client.</summary>
/// <param name="name">The name; empty for the client without a name.</param>
internal sealed class ClientRegistration(string name)
{
    private Type? _namedAfter;
    private bool _hasPipeline;

    public string Name => name;

    /// <summary>The section of the configuration that the client reads unless the program chooses another. It may be missing.</summary>
    public string DefaultSection { get; } = name.Length == 0 ? ClientConfiguration.DefaultSection : $"{ClientConfiguration.NamedSections}:{name}";

    /// <summary>The section that the program has chosen; <see langword="null"/> for <see cref="DefaultSection"/>.</summary>
    public string? ConfigurationPath { get; set; }

    /// <summary>The section that the client reads.</summary>
    public string Section => ConfigurationPath ?? DefaultSection;

    /// <summary>The changes of the settings, and the methods that added them.</summary>
    public List<(string Method, Func<CoapClientSettings, IServiceProvider, CoapClientSettings> Apply)> Changes { get; } = [];

    /// <summary>Creates the steps of the client, in their order, with the services of the host and the clock of the client.</summary>
    public List<Func<IServiceProvider, TimeProvider, IRequestStep>> Steps { get; } = [];

    /// <summary>Gives the client the name of a class that uses it.</summary>
    /// <exception cref="InvalidOperationException">Another class with the same name uses it already, so the settings of one would be those of both.</exception>
    public void NameAfter(Type type)
    {
        if (_namedAfter is not null && _namedAfter != type)
        {
            throw new InvalidOperationException(
                $"The CoAP client '{name}' is already that of {_namedAfter}. Pass a name for that of {type}: AddCoapClient<{type.Name}>(\"name\").");
        }
        _namedAfter = type;
    }

    /// <exception cref="InvalidOperationException">The client already has a pipeline.</exception>
    public void SetPipeline(Func<IServiceProvider, TimeProvider, ResiliencePipeline<CoapResponse>> pipeline)
    {
        if (_hasPipeline)
        {
            throw new InvalidOperationException(
                $"The CoAP client '{name}' already has a resilience pipeline. Call AddResilience once, and add all strategies to the one builder.");
        }
        _hasPipeline = true;
        Steps.Add((provider, time) => new ResilienceStep(pipeline(provider, time)));
    }
}
