namespace CoAP.Lanes;

/// <summary>The values of attributes of metrics and spans. Their number is small, whatever peers send.</summary>
internal static class TelemetryNames
{
    private const string Other = "_OTHER";

    private static readonly string[] Methods = [Other, "GET", "POST", "PUT", "DELETE", "FETCH", "PATCH", "iPATCH"];

    /// <summary>Returns the name of a method, or "_OTHER" if it is not registered.</summary>
    public static string OfMethod(CoapCode method) => method.Value < Methods.Length ? Methods[method.Value] : Other;

    /// <summary>Returns the value of <c>network.transport</c>.</summary>
    public static string OfTransport(in PeerIdentity peer, bool isReliable)
    {
        if (peer.IsIP) { return isReliable ? "tcp" : "udp"; }
        return peer.Name?.StartsWith("unix:", StringComparison.Ordinal) == true ? "unix" : "inmemory";
    }

    /// <summary>Returns the value of <c>error.type</c> for an exception.</summary>
    public static string OfError(Exception error) => error.GetType().FullName ?? error.GetType().Name;
}
