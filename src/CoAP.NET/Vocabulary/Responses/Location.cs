using CoAP.Options;

namespace CoAP.Vocabulary;

/// <summary>Turns a path with a query into Location-Path and Location-Query options (RFC 7252, section 5.10.7).</summary>
internal static class Location
{
    // The options name no scheme and no host, so any do.
    private const string Anywhere = "coap://localhost";

    /// <summary>Returns the options of a location, at least one.</summary>
    /// <exception cref="ArgumentException">The text is not a path, or no option can carry it or a part of it.</exception>
    public static CoapOption[] Parse(string location)
    {
        ArgumentException.ThrowIfNullOrEmpty(location);
        ThrowUnlessPath(location);
        if (!CoapUri.TryParse(Anywhere + location, out var uri, out var error))
        {
            throw Bad(location, error);
        }
        CoapOption[] options =
        [
            .. uri.PathSegments.Select(static segment => new LocationPath(segment)),
            .. uri.QueryArguments.Select(static argument => new LocationQuery(argument)),
        ];
        return options.Length > 0
            ? options
            : throw Bad(location, "The root has no Location option, and a 2.01 without one names the URI of the request (RFC 7252, section 5.9.1.1). If that is the root, return Response.Created.");
    }

    private static void ThrowUnlessPath(string location)
    {
        var path = location.AsSpan(0, location.IndexOf('?') is >= 0 and var query ? query : location.Length);
        if (location.Contains('#')) { throw Bad(location, "It has a fragment, which no option can carry."); }
        if (path.StartsWith("//") || path.Contains("://", StringComparison.Ordinal))
        {
            throw Bad(location, "It names a host. The options carry a path on this server only: pass the path and the query (RFC 7252, section 5.10.7).");
        }
        foreach (var segment in path.Split('/'))
        {
            if (Uri.UnescapeDataString(path[segment].ToString()) is "." or "..")
            {
                throw Bad(location, "A segment is \".\" or \"..\", which a Location-Path option must not be (RFC 7252, section 5.10.7). Pass the resolved path.");
            }
        }
        if (location[0] != '/')
        {
            throw Bad(location, $"It is relative to the request, but the options carry an absolute path (RFC 7252, section 5.10.7). Pass the whole path, such as '/{location}'.");
        }
    }

    private static ArgumentException Bad(string location, string reason) => new($"The location '{location}' cannot be sent. {reason}", nameof(location));
}
