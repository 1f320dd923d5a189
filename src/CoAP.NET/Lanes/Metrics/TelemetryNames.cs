namespace CoAP.Lanes;

/// <summary>The values of attributes of metrics and spans. Their number is small, whatever peers send.</summary>
internal static class TelemetryNames
{
    /// <summary>The value of <c>error.type</c> for a request whose caller does not wait any longer.</summary>
    public const string Canceled = "canceled";

    private const string Other = "_OTHER";

    // The conventions for HTTP call a span with an unknown method "HTTP".
    private const string NameOfOther = "CoAP";

    private static readonly string[] Methods = [Other, "GET", "POST", "PUT", "DELETE", "FETCH", "PATCH", "iPATCH"];

    /// <summary>Returns the name of a method, or "_OTHER" if it is not registered.</summary>
    public static string OfMethod(CoapCode method) => IsRegistered(method) ? Methods[method.Value] : Other;

    /// <summary>Returns the name of a span without a route.</summary>
    public static string OfSpan(CoapCode method) => IsRegistered(method) ? Methods[method.Value] : NameOfOther;

    /// <summary>Whether the method has a name.</summary>
    public static bool IsRegistered(CoapCode method) => method.Value > 0 && method.Value < Methods.Length;

    /// <summary>Returns the value of <c>network.transport</c>.</summary>
    public static string OfTransport(in PeerIdentity peer, bool isReliable)
    {
        if (peer.IsIP) { return isReliable ? "tcp" : "udp"; }
        return peer.Name?.StartsWith("unix:", StringComparison.Ordinal) == true ? "unix" : "inmemory";
    }

    /// <summary>Returns the value of <c>error.type</c> for a received request that ended without a response.</summary>
    public static string OfEnd(RequestEnd end) => end switch
    {
        RequestEnd.Dropped => "dropped",
        RequestEnd.Lost => "lost",
        _ => "failed",
    };

    /// <summary>Returns the value of <c>error.type</c> for an exception.</summary>
    public static string OfError(Exception error) => error.GetType().FullName ?? error.GetType().Name;
}
