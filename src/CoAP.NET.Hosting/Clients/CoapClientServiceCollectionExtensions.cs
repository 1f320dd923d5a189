using System.Diagnostics.CodeAnalysis;
using CoAP;
using CoAP.Hosting;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds CoAP clients to the services of a host.</summary>
/// <remarks>
/// Each client is a singleton with its own sockets, which all its users share. It takes the logger factory and the <see cref="TimeProvider"/> of the host,
/// then the section of the configuration ("CoapClient", or "CoapClients:name", unless <see cref="CoapClientBuilder.BindConfiguration"/> selects another), then the
/// functions of <c>AddCoapClient</c> and <see cref="CoapClientBuilder.Configure"/>, then those of <see cref="ConfigureCoapClient"/>. A wrong value or an unknown key
/// in the configuration throws a <see cref="CoapConfigurationException"/> at the start of the host. The host disposes of its clients after it has stopped its server.
/// </remarks>
public static class CoapClientServiceCollectionExtensions
{
    /// <summary>Adds the client without a name. Inject <see cref="CoapClient"/> or <see cref="IRequestSender"/>.</summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="configure">Returns the settings, made from those that it gets. Default: they stay as they are.</param>
    /// <remarks>A further call adds to the configuration of the same client.</remarks>
    public static CoapClientBuilder AddCoapClient(this IServiceCollection services, Func<CoapClientSettings, CoapClientSettings>? configure = null)
    {
        var builder = Add(services, "", configure);
        services.TryAddSingleton(static provider => provider.GetRequiredService<ICoapClientFactory>().Get(""));
        services.TryAddSingleton(static provider => provider.GetRequiredService<ICoapClientFactory>().GetSender(""));
        return builder;
    }

    /// <summary>
    /// Adds a client with a name. Inject it with <c>[FromKeyedServices("name")]</c> as <see cref="CoapClient"/> or <see cref="IRequestSender"/>, or call
    /// <see cref="ICoapClientFactory.Get"/>.
    /// </summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="name">The name.</param>
    /// <param name="configure">Returns the settings, made from those that it gets. Default: they stay as they are.</param>
    /// <remarks>A further call with the same name adds to the configuration of the same client.</remarks>
    /// <exception cref="ArgumentException">The name is empty.</exception>
    public static CoapClientBuilder AddCoapClient(
        this IServiceCollection services, string name, Func<CoapClientSettings, CoapClientSettings>? configure = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        var builder = Add(services, name, configure);
        services.TryAddKeyedSingleton(name, static (provider, key) => provider.GetRequiredService<ICoapClientFactory>().Get((string)key!));
        services.TryAddKeyedSingleton(name, static (provider, key) => provider.GetRequiredService<ICoapClientFactory>().GetSender((string)key!));
        return builder;
    }

    /// <summary>Adds a class that sends requests with a client of its own. The name of the client is that of the class.</summary>
    /// <typeparam name="TClient">
    /// The class. Its constructor takes an <see cref="IRequestSender"/> or a <see cref="CoapClient"/>, and any services. Each injection creates an instance; all
    /// share the client.
    /// </typeparam>
    /// <param name="services">The services of the host.</param>
    /// <param name="configure">Returns the settings, made from those that it gets. Set <see cref="CoapClientSettings.BaseUri"/> to send requests to paths.</param>
    /// <exception cref="InvalidOperationException">No public constructor takes a client, or the class is abstract.</exception>
    public static CoapClientBuilder AddCoapClient<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TClient>(
        this IServiceCollection services, Func<CoapClientSettings, CoapClientSettings>? configure = null)
        where TClient : class => AddNamedAfter<TClient, TClient>(services, configure);

    /// <summary>Adds a class that sends requests with the client of this name. Several classes can share one client.</summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="name">The name.</param>
    /// <param name="configure">Returns the settings, made from those that it gets. Set <see cref="CoapClientSettings.BaseUri"/> to send requests to paths.</param>
    /// <inheritdoc cref="AddCoapClient{TClient}(IServiceCollection, Func{CoapClientSettings, CoapClientSettings})" path="/typeparam|/exception"/>
    public static CoapClientBuilder AddCoapClient<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TClient>(
        this IServiceCollection services, string name, Func<CoapClientSettings, CoapClientSettings>? configure = null)
        where TClient : class => services.AddCoapClient<TClient, TClient>(name, configure);

    /// <summary>Adds an interface and the class behind it, which sends requests with a client of its own. The name of the client is that of the interface.</summary>
    /// <typeparam name="TClient">The interface that is injected.</typeparam>
    /// <typeparam name="TImplementation">The class. Its constructor takes an <see cref="IRequestSender"/> or a <see cref="CoapClient"/>, and any services.</typeparam>
    /// <inheritdoc cref="AddCoapClient{TClient}(IServiceCollection, Func{CoapClientSettings, CoapClientSettings})" path="/param|/exception"/>
    public static CoapClientBuilder AddCoapClient<
        TClient, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>(
        this IServiceCollection services, Func<CoapClientSettings, CoapClientSettings>? configure = null)
        where TClient : class
        where TImplementation : class, TClient => AddNamedAfter<TClient, TImplementation>(services, configure);

    /// <summary>Adds an interface and the class behind it, which sends requests with the client of this name.</summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="name">The name.</param>
    /// <param name="configure">Returns the settings, made from those that it gets. Set <see cref="CoapClientSettings.BaseUri"/> to send requests to paths.</param>
    /// <inheritdoc cref="AddCoapClient{TClient, TImplementation}(IServiceCollection, Func{CoapClientSettings, CoapClientSettings})" path="/typeparam|/exception"/>
    public static CoapClientBuilder AddCoapClient<TClient, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>(
        this IServiceCollection services, string name, Func<CoapClientSettings, CoapClientSettings>? configure = null)
        where TClient : class
        where TImplementation : class, TClient
    {
        TypedClient<TImplementation>.ThrowIfNone();
        var builder = services.AddCoapClient(name, configure);
        services.AddTransient<TClient>(provider => TypedClient<TImplementation>.Create(provider, name));
        return builder;
    }

    /// <summary>
    /// Changes the settings of all clients, after their own configuration. Functions run in the order of the calls. A test uses it to move clients to an
    /// in-memory network.
    /// </summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="configure">Returns the settings, made from those that it gets.</param>
    public static IServiceCollection ConfigureCoapClient(this IServiceCollection services, Func<CoapClientSettings, CoapClientSettings> configure)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(configure);
        ClientRegistrations.Of(services).ForAll.Add(configure);
        return services;
    }

    private static CoapClientBuilder AddNamedAfter<TClient, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>(
        IServiceCollection services, Func<CoapClientSettings, CoapClientSettings>? configure)
        where TClient : class
        where TImplementation : class, TClient
    {
        ArgumentNullException.ThrowIfNull(services);
        ClientRegistrations.Of(services).Add(typeof(TClient).Name).NameAfter(typeof(TClient));
        return services.AddCoapClient<TClient, TImplementation>(typeof(TClient).Name, configure);
    }

    private static CoapClientBuilder Add(IServiceCollection services, string name, Func<CoapClientSettings, CoapClientSettings>? configure)
    {
        ArgumentNullException.ThrowIfNull(services);
        var registration = ClientRegistrations.Of(services).Add(name);
        if (configure is not null) { registration.Changes.Add((nameof(AddCoapClient), (settings, _) => configure(settings))); }
        services.TryAddSingleton<ICoapClientFactory, CoapClientFactory>();
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, ClientStart>());
        return new CoapClientBuilder(services, name, registration);
    }
}
