using CoAP.Options;

namespace CoAP.Resources;

/// <summary>
/// The resource that a request's path led to. Where the values of placeholders stand in the path follows from the resource's template.
/// </summary>
internal readonly struct RouteMatch(Resource? resource)
{
    public Resource? Resource => resource;

    /// <summary>The value of a placeholder, decoded only now.</summary>
    /// <exception cref="ArgumentException">The path has no such placeholder.</exception>
    /// <exception cref="InvalidOperationException">The request was not routed.</exception>
    public string GetValue(string name, in OptionSet options)
    {
        if (resource is null) { throw new InvalidOperationException($"The request was not routed: there is no value '{name}'."); }
        return resource.Route.GetValue(name, options);
    }
}
