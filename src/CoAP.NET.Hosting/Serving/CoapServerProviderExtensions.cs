using CoAP;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Finds the CoAP server in the services of a host.</summary>
public static class CoapServerProviderExtensions
{
    /// <summary>Returns the server of the host. It is created if nothing has asked for it yet.</summary>
    /// <param name="services">The services of a host, such as <c>host.Services</c>.</param>
    /// <exception cref="InvalidOperationException">The services contain no server.</exception>
    /// <exception cref="CoAP.Hosting.CoapConfigurationException">The server is created now, and its configuration has an unknown key or a wrong value.</exception>
    public static CoapServer GetCoapServer(this IServiceProvider services)
    {
        ArgumentNullException.ThrowIfNull(services);
        return services.GetService<CoapServer>() ?? throw new InvalidOperationException(
            "The services of the host contain no CoapServer. Call builder.Services.AddCoapServer() before you build the host.");
    }
}
