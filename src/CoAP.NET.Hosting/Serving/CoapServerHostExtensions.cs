using System.Diagnostics.CodeAnalysis;
using CoAP;
using Microsoft.Extensions.DependencyInjection;

namespace Microsoft.Extensions.Hosting;

/// <summary>Maps groups and resource classes on the <see cref="CoapServer"/> of a host, before or after its start.</summary>
public static class CoapServerHostExtensions
{
    /// <summary>Creates a group of resources whose templates begin with a prefix, for steps around all of them.</summary>
    /// <param name="host">A host with a <see cref="CoapServer"/> in its services.</param>
    /// <param name="prefix">The first segments of the templates, such as "devices/{device}".</param>
    /// <exception cref="ArgumentException">The prefix is invalid, or contains a wildcard.</exception>
    /// <exception cref="InvalidOperationException">The services contain no server.</exception>
    public static ResourceGroup MapCoapGroup(this IHost host, [StringSyntax("Route")] string prefix)
    {
        ArgumentNullException.ThrowIfNull(host);
        return host.Services.GetCoapServer().Resources.Group(prefix);
    }

    /// <inheritdoc cref="CoapResourceMappingExtensions.MapCoapResource{T}(ResourceMap, string, HandlerMode)"/>
    /// <param name="host">A host with a <see cref="CoapServer"/> in its services.</param>
    /// <param name="template">The template of the path, such as "sensors/{id:int}"; see <see cref="ResourceMap"/>.</param>
    /// <param name="mode">Where the constructor and the methods run up to their first <see langword="await"/>.</param>
    /// <exception cref="InvalidOperationException">
    /// The services contain no server, the template is already mapped, or the class has no suitable constructor.
    /// </exception>
    public static Resource MapCoapResource<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] T>(
        this IHost host, [StringSyntax("Route")] string template, HandlerMode mode = HandlerMode.Inline)
        where T : CoapResource
    {
        ArgumentNullException.ThrowIfNull(host);
        return host.Services.GetCoapServer().Resources.MapCoapResource<T>(template, mode);
    }
}
