using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;

namespace CoAP.Hosting;

/// <summary>Creates the objects of resource classes from the services of requests.</summary>
internal static class ResourceFactory
{
    /// <exception cref="InvalidOperationException">The class is abstract or has no suitable constructor.</exception>
    public static Func<IncomingRequest, CoapResource> Of<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] T>()
        where T : CoapResource
    {
        var create = ActivatorUtilities.CreateFactory<T>([]);
        return request =>
        {
            var services = CoapRequestServices.Require(request);
            if (services.GetService<T>() is { } registered) { return registered; }
            var resource = create(services, []);
            if (services is RequestScope scope) { scope.Own(resource); }
            return resource;
        };
    }
}
