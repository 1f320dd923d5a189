namespace CoAP.Tool.Connecting;

/// <summary>The URI argument of a command.</summary>
internal static class TargetUri
{
    private const string SchemeEnd = "://";

    /// <summary>Adds the scheme "coap" if there is none, and checks the URI.</summary>
    /// <exception cref="FormatException">The text is not a URI of CoAP.</exception>
    public static string Complete(string text)
    {
        var uri = text.Contains(SchemeEnd, StringComparison.Ordinal) ? text : $"coap{SchemeEnd}{text}";
        _ = CoapUri.Parse(uri);
        return uri;
    }
}
