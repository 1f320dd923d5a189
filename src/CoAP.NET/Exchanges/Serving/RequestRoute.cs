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

    /// <summary>Returns the value of a query argument: "" if the argument has a name only, or <see langword="null"/> if there is no such argument.</summary>
    public static string? FindArgument(in OptionSet options, string name)
    {
        foreach (var argument in options.GetAll<UriQuery>())
        {
            if (!argument.Value.StartsWith(name, StringComparison.Ordinal)) { continue; }
            if (argument.Value.Length == name.Length) { return ""; }
            if (argument.Value[name.Length] == '=') { return argument.Value[(name.Length + 1)..]; }
        }
        return null;
    }
}
