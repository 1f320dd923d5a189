using System.Diagnostics.CodeAnalysis;
using CoAP.Hosting;

namespace CoAP;

/// <summary>Maps classes whose objects are created from the services of each request.</summary>
public static class CoapResourceMappingExtensions
{
    /// <summary>Maps a class whose methods handle the requests. Its constructor receives services of the request.</summary>
    /// <typeparam name="T">
    /// The class. If it is registered as a service, the object is that service. Otherwise a new object is created for each request, and disposed with
    /// the scope of the request if it is disposable.
    /// </typeparam>
    /// <param name="map">The resources of a server.</param>
    /// <param name="template">The template of the path, such as "sensors/{id:int}"; see <see cref="ResourceMap"/>.</param>
    /// <param name="mode">Where the constructor and the methods run up to their first <see langword="await"/>.</param>
    /// <returns>The resource, for further settings such as observing and authorization.</returns>
    /// <exception cref="ArgumentException">The template is invalid, or differs from a mapped one only in the names of its placeholders.</exception>
    /// <exception cref="InvalidOperationException">The template is already mapped, or the class has no suitable constructor.</exception>
    public static Resource MapCoapResource<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] T>(
        this ResourceMap map, [StringSyntax("Route")] string template, HandlerMode mode = HandlerMode.Inline)
        where T : CoapResource
    {
        ArgumentNullException.ThrowIfNull(map);
        return map.Add(template, ResourceFactory.Of<T>(), mode);
    }

    /// <inheritdoc cref="MapCoapResource{T}(ResourceMap, string, HandlerMode)"/>
    /// <param name="group">The group. The template follows its prefix.</param>
    /// <param name="template">The rest of the template.</param>
    /// <param name="mode">Where the constructor and the methods run up to their first <see langword="await"/>.</param>
    public static Resource MapCoapResource<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] T>(
        this ResourceGroup group, [StringSyntax("Route")] string template, HandlerMode mode = HandlerMode.Inline)
        where T : CoapResource
    {
        ArgumentNullException.ThrowIfNull(group);
        return group.Add(template, ResourceFactory.Of<T>(), mode);
    }
}
