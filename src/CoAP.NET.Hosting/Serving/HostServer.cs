using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace CoAP.Hosting;

/// <summary>Finds the CoAP server of a host.</summary>
internal static class HostServer
{
    /// <exception cref="InvalidOperationException">The host has no server.</exception>
    public static CoapServer Of(IHost host)
    {
        ArgumentNullException.ThrowIfNull(host);
        return host.Services.GetService<CoapServer>() ?? throw new InvalidOperationException(
            "The services of the host contain no CoapServer. Call builder.Services.AddCoapServer() before you build the host.");
    }
}
