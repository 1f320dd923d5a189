namespace CoAP.Hosting;

/// <summary>Reads a parameter of a typed handler from a query argument (RFC 7252, section 5.10.1).</summary>
/// <param name="name">The name of the argument. Default: the name of the parameter.</param>
[AttributeUsage(AttributeTargets.Parameter)]
public sealed class FromQueryAttribute(string? name = null) : Attribute
{
    /// <summary>The name of the argument; <see langword="null"/> for the name of the parameter.</summary>
    public string? Name { get; } = name;
}
