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

    /// <summary>Adds a step that all requests of the client pass (see <see cref="CoapClient.Use"/>).</summary>
    /// <param name="step">The step. A request passes the steps, and the pipeline of <c>AddResilience</c>, in the order of these calls.</param>
    public CoapClientBuilder Use(IRequestStep step)
    {
        ArgumentNullException.ThrowIfNull(step);
        return Use(_ => step);
    }

    /// <summary>Adds a step that needs services of the host.</summary>
    /// <param name="create">Creates the step with the services of the host.</param>
    /// <inheritdoc cref="Use(IRequestStep)" path="/param[@name='step']"/>
    public CoapClientBuilder Use(Func<IServiceProvider, IRequestStep> create)
    {
        ArgumentNullException.ThrowIfNull(create);
        _registration.Steps.Add((provider, _) => create(provider));
        return this;
    }

    /// <summary>Sends the requests of the client through a pipeline of Polly, such as retries and a circuit breaker.</summary>
    /// <param name="pipeline">The pipeline.</param>
    /// <remarks>
    /// The pipeline applies to all requests of the client. It sees the first answer: the response of a call, the first state of an observation,
    /// the first response of a group. Later states and responses do not pass it; an observation renews itself.
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
