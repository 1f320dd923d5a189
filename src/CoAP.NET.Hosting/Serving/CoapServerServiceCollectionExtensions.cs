using CoAP;
using CoAP.Hosting;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds a CoAP server to the services of a host.</summary>
public static class CoapServerServiceCollectionExtensions
{
    /// <summary>
    /// Adds a server that starts and stops with the host. It is a singleton of type <see cref="CoapServer"/>, and uses the loggers of the host and the
    /// <see cref="TimeProvider"/> of the services, if there is one.
    /// </summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="configure">
    /// Changes the settings. It receives the default settings with the values of the section "Coap" of the configuration, if that section exists.
    /// </param>
    /// <returns>A builder that maps resources and adds steps.</returns>
    /// <remarks>
    /// The server is created when it is first asked for, at the latest at the start of the host. A wrong value or an unknown key in the configuration then
    /// throws a <see cref="CoapConfigurationException"/>.
    /// </remarks>
    /// <exception cref="InvalidOperationException">The services contain a server already.</exception>
    public static CoapServerBuilder AddCoapServer(
        this IServiceCollection services, Func<CoapServerSettings, CoapServerSettings>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        if (services.Any(static service => service.ServiceType == typeof(CoapServer)))
        {
            throw new InvalidOperationException(
                "The services contain a CoapServer already; a host has one. Call AddCoapServer once, list all addresses in its Endpoints, and use ConfigureCoapServer to change its settings elsewhere.");
        }
        var plan = new CoapServerPlan();
        if (configure is not null) { plan.Changes.Add((nameof(AddCoapServer), (settings, _) => configure(settings))); }
        services.AddSingleton(plan.Create);
        services.AddHostedService<CoapServerService>();
        return new CoapServerBuilder(services, plan);
    }

    /// <summary>
    /// Changes the settings of the server after all other changes and after the configuration, for example in a test. May be called any number of
    /// times, before or after <see cref="AddCoapServer"/>.
    /// </summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="configure">Takes the settings and returns the changed ones.</param>
    /// <remarks>Without a server, the start of the host throws an <see cref="InvalidOperationException"/>.</remarks>
    public static IServiceCollection ConfigureCoapServer(
        this IServiceCollection services, Func<CoapServerSettings, CoapServerSettings> configure)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(configure);
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, ServerPresence>());
        return services.AddSingleton(new SettingsChange(configure));
    }
}
