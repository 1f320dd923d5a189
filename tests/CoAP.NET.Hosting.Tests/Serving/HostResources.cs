using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace CoAP.Hosting.Tests.Serving;

internal static class HostResources
{
    public static ResourceMap Resources(this IHost host) => host.Services.GetRequiredService<CoapServer>().Resources;
}
