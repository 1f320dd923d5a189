namespace CoAP.Tool.Connecting;

/// <summary>The URI argument of a command.</summary>
internal static class TargetUri
{
    private const string SchemeEnd = "://";

    /// <summary>Adds the scheme "coap" if there is none, and checks the URI.</summary>
    /// <exception cref="FormatException">The text is not a URI of CoAP.</exception>
    public static string Complete(string text)
    {
        // A query may contain another URI.
        var at = text.IndexOf(SchemeEnd, StringComparison.Ordinal);
        var hasScheme = at >= 0 && text.AsSpan(0, at).IndexOfAny("/?:[") < 0;
        var uri = hasScheme ? text : $"coap{SchemeEnd}{text}";
        _ = CoapUri.Parse(uri);
        return uri;
    }
}
