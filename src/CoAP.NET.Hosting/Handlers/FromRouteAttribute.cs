namespace CoAP.Hosting;

/// <summary>Reads a parameter of a typed handler from a placeholder of the path.</summary>
/// <param name="name">The name of the placeholder. Default: the name of the parameter.</param>
[AttributeUsage(AttributeTargets.Parameter)]
public sealed class FromRouteAttribute(string? name = null) : Attribute
{
    /// <summary>The name of the placeholder; <see langword="null"/> for the name of the parameter.</summary>
    public string? Name { get; } = name;
}
