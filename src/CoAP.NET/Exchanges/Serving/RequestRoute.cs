using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>Where routing led a request. Resources fill it.</summary>
internal abstract class RequestRoute
{
    /// <summary>Returns the value of a placeholder of the route's path.</summary>
    /// <exception cref="ArgumentException">The path has no such placeholder.</exception>
    public abstract string GetValue(string name, in OptionSet options);
}
