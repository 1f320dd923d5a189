using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;

namespace CoAP.Hosting;

/// <summary>Creates the instances of a typed client.</summary>
internal static class TypedClient<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TClient>
    where TClient : class
{
    /// <exception cref="InvalidOperationException">No public constructor takes a client, or the class is abstract.</exception>
    public static void ThrowIfNone()
    {
        var type = typeof(TClient);
        if (type.IsAbstract)
        {
            throw new InvalidOperationException($"{type.Name} is abstract or an interface, so it cannot be created. Add the class behind it too: AddCoapClient<{type.Name}, TheClass>().");
        }
        if (!type.GetConstructors().Any(static constructor => constructor.GetParameters().Any(static one => ClientServices.IsClient(one.ParameterType))))
        {
            throw new InvalidOperationException($"{type.Name} has no public constructor with a parameter of type IRequestSender or CoapClient. Add one, which the host passes to it.");
        }
    }

    public static TClient Create(IServiceProvider provider, string name) =>
        ActivatorUtilities.CreateInstance<TClient>(new ClientServices(provider, name));
}
