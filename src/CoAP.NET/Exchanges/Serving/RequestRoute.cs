using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>The result of routing a request.</summary>
internal abstract class RequestRoute
{
    /// <summary>The template of the resource; <see langword="null"/> if no resource matched the request.</summary>
    public abstract string? Template { get; }

    /// <summary>Returns the value of a placeholder of the route's path.</summary>
    /// <exception cref="ArgumentException">The path has no such placeholder.</exception>
    public abstract string GetValue(string name, in OptionSet options);
}
