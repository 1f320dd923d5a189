using Microsoft.Extensions.DependencyInjection;

namespace CoAP.Hosting;

/// <summary>Configures the CoAP server of a host before the server is created.</summary>
/// <remarks>
/// The calls take effect when the server is created, in the order in which they were made. You can also map resources later, on the host or on
/// <see cref="CoapServer.Resources"/>.
/// </remarks>
public sealed class CoapServerBuilder
{
    private readonly CoapServerPlan _plan;

    internal CoapServerBuilder(IServiceCollection services, CoapServerPlan plan) => (Services, _plan) = (services, plan);

    /// <summary>The services of the host.</summary>
    public IServiceCollection Services { get; }

    /// <summary>Reads the settings from another section of the configuration than "Coap".</summary>
    /// <param name="path">The path of the section, such as "Servers:Coap". The creation of the server fails if the section does not exist.</param>
    /// <exception cref="ArgumentException">The path is empty.</exception>
    public CoapServerBuilder BindConfiguration(string path)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        _plan.ConfigurationPath = path;
        return this;
    }

    /// <summary>Changes the settings with the services of the host. Called after the function that was passed to <c>AddCoapServer</c>.</summary>
    /// <param name="configure">Takes the settings and the services of the host, and returns the changed settings.</param>
    public CoapServerBuilder Configure(Func<CoapServerSettings, IServiceProvider, CoapServerSettings> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        _plan.Changes.Add((nameof(Configure), configure));
        return this;
    }

    /// <summary>Maps resources on the server, or changes the server in another way before it starts.</summary>
    /// <param name="map">Called once, with the new server.</param>
    public CoapServerBuilder Map(Action<CoapServer> map)
    {
        ArgumentNullException.ThrowIfNull(map);
        return Map((server, _) => map(server));
    }

    /// <summary>Maps resources on the server, with the services of the host.</summary>
    /// <param name="map">Called once, with the new server and the services of the host.</param>
    public CoapServerBuilder Map(Action<CoapServer, IServiceProvider> map)
    {
        ArgumentNullException.ThrowIfNull(map);
        _plan.Mappings.Add(map);
        return this;
    }

    /// <summary>Adds a step around all requests. The first step added is the outermost.</summary>
    /// <inheritdoc cref="CoapServer.Use" path="/param"/>
    public CoapServerBuilder Use(Func<RequestDelegate, RequestDelegate> step, bool dependsOnPeer = true)
    {
        ArgumentNullException.ThrowIfNull(step);
        return Map((server, _) => server.Use(step, dependsOnPeer));
    }

    /// <summary>Adds a step around all requests that uses services of the host. The first step added is the outermost.</summary>
    /// <param name="step">
    /// Takes the next step, or the handler, and the services of the host; returns a delegate that calls the next step. The services are singletons
    /// and transient services. Scoped services are in <see cref="IncomingRequest.Services"/>.
    /// </param>
    /// <param name="dependsOnPeer">Whether responses may depend on the peer because of the step. If so, observers do not share representations.</param>
    public CoapServerBuilder Use(Func<RequestDelegate, IServiceProvider, RequestDelegate> step, bool dependsOnPeer = true)
    {
        ArgumentNullException.ThrowIfNull(step);
        return Map((server, services) => server.Use(next => step(next, services), dependsOnPeer));
    }

    /// <summary>Calls an authorizer before any resource is used, also for requests that no resource handles.</summary>
    /// <inheritdoc cref="CoapServer.Authorize(Authorizer)" path="/remarks|/param"/>
    public CoapServerBuilder Authorize(Authorizer authorizer)
    {
        ArgumentNullException.ThrowIfNull(authorizer);
        return Map((server, _) => server.Authorize(authorizer));
    }

    /// <summary>Calls a synchronous authorizer before any resource is used, also for requests that no resource handles.</summary>
    /// <inheritdoc cref="CoapServer.Authorize(Authorizer)" path="/remarks|/param"/>
    public CoapServerBuilder Authorize(Func<RequestHead, AuthorizationDecision> authorizer)
    {
        ArgumentNullException.ThrowIfNull(authorizer);
        return Map((server, _) => server.Authorize(authorizer));
    }

    /// <summary>Calls an authorizer with services, before any resource is used. Each call has a scope of its own.</summary>
    /// <param name="authorizer">Takes the head of the request and services of a new scope, and returns the decision.</param>
    public CoapServerBuilder Authorize(Func<RequestHead, IServiceProvider, CancellationToken, ValueTask<AuthorizationDecision>> authorizer)
    {
        ArgumentNullException.ThrowIfNull(authorizer);
        return Map((server, services) => server.Authorize(async (request, cancellationToken) =>
        {
            var scope = services.CreateAsyncScope();
            await using (scope.ConfigureAwait(false)) { return await authorizer(request, scope.ServiceProvider, cancellationToken).ConfigureAwait(false); }
        }));
    }
}
