using Microsoft.Extensions.DependencyInjection;
using Polly;

namespace CoAP.Hosting;

/// <summary>Adds more to a client of the host.</summary>
public sealed class CoapClientBuilder
{
    private readonly ClientRegistration _registration;

    internal CoapClientBuilder(IServiceCollection services, string name, ClientRegistration registration) =>
        (Services, Name, _registration) = (services, name, registration);

    /// <summary>The services of the host.</summary>
    public IServiceCollection Services { get; }

    /// <summary>The name of the client; empty for the client without a name.</summary>
    public string Name { get; }

    /// <summary>Reads the settings from another section of the configuration than "CoapClient", or "CoapClients:name".</summary>
    /// <param name="path">The path of the section, such as "Plant:Coap". The start of the host fails if the section does not exist.</param>
    /// <remarks>The start of the host also fails if the section has an unknown key or a wrong value. The last call decides.</remarks>
    /// <exception cref="ArgumentException">The path is empty.</exception>
    public CoapClientBuilder BindConfiguration(string path)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        _registration.ConfigurationPath = path;
        return this;
    }

    /// <summary>Changes the settings with the services of the host. Called after the function that was passed to <c>AddCoapClient</c>.</summary>
    /// <param name="configure">Takes the settings and the services of the host, and returns the changed settings.</param>
    public CoapClientBuilder Configure(Func<CoapClientSettings, IServiceProvider, CoapClientSettings> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        _registration.Changes.Add((nameof(Configure), configure));
        return this;
    }

    /// <summary>Sends the requests of the client through a pipeline of Polly, such as retries and a circuit breaker.</summary>
    /// <param name="pipeline">The pipeline.</param>
    /// <remarks>
    /// The pipeline applies to requests that are sent through <see cref="IRequestSender"/>: the service with this type, the sender of a typed client, and
    /// <see cref="ICoapClientFactory.GetSender"/>. A request that is sent through <see cref="CoapClient"/> goes past it. So do observations, which renew
    /// themselves, multicast requests and <see cref="IRequestSender.SendAndForgetAsync"/>.
    /// </remarks>
    /// <exception cref="InvalidOperationException">The client already has a pipeline.</exception>
    public CoapClientBuilder AddResilience(ResiliencePipeline<CoapResponse> pipeline)
    {
        ArgumentNullException.ThrowIfNull(pipeline);
        _registration.SetPipeline((_, _) => pipeline);
        return this;
    }

    /// <summary>Sends the requests of the client through a pipeline of Polly, such as retries and a circuit breaker.</summary>
    /// <param name="configure">Adds strategies, such as <see cref="CoapResilience.Standard"/>. The clock of the pipeline is that of the client.</param>
    /// <inheritdoc cref="AddResilience(ResiliencePipeline{CoapResponse})" path="/remarks|/exception"/>
    public CoapClientBuilder AddResilience(Action<ResiliencePipelineBuilder<CoapResponse>> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        return AddResilience((builder, _) => configure(builder));
    }

    /// <summary>Sends the requests of the client through a pipeline of Polly that needs services of the host.</summary>
    /// <param name="configure">Adds strategies. Gets the services of the host. The clock of the pipeline is that of the client.</param>
    /// <inheritdoc cref="AddResilience(ResiliencePipeline{CoapResponse})" path="/remarks|/exception"/>
    public CoapClientBuilder AddResilience(Action<ResiliencePipelineBuilder<CoapResponse>, IServiceProvider> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        _registration.SetPipeline((provider, time) =>
        {
            var builder = new ResiliencePipelineBuilder<CoapResponse> { Name = Name.Length == 0 ? "coap" : Name, TimeProvider = time };
            configure(builder, provider);
            return builder.Build();
        });
        return this;
    }
}
