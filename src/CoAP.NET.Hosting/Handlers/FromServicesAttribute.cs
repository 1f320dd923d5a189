namespace CoAP.Hosting;

/// <summary>Takes a parameter of a typed handler from the services of the request. Interfaces need no attribute.</summary>
/// <param name="key">The key of a keyed service, a constant; <see langword="null"/> for a service without a key.</param>
[AttributeUsage(AttributeTargets.Parameter)]
public sealed class FromServicesAttribute(object? key = null) : Attribute
{
    /// <summary>The key of the service; <see langword="null"/> if it has none.</summary>
    public object? Key { get; } = key;
}
