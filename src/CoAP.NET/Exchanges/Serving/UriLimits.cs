using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>
/// The limits of the path and the query of a request. They are checked before anything routes, authorizes or stores the request: a datagram has room for
/// tens of thousands of short segments, and code that works on each prefix of a path, such as a search for files, would need seconds for it.
/// </summary>
internal sealed class UriLimits(int maxPathSegments, int maxPathLength, int maxQueryArguments)
{
    private static readonly int PathNumber = UriPath.Declaration.Number;
    private static readonly int QueryNumber = UriQuery.Declaration.Number;

    private readonly int _alwaysAllowed = Math.Min(maxPathLength, Math.Min(maxPathSegments, maxQueryArguments));

    /// <summary>Returns 4.00 if the path or the query of a request is too long; otherwise <see langword="null"/>.</summary>
    /// <remarks>
    /// 4.00 is the code for a request that the server does not process because of an error of the client (RFC 7252, section 5.9.2.1). 4.04 would tell
    /// caches and clients that the resource does not exist, and 4.13 is for payloads. CoAP has no code such as 414 of HTTP.
    /// </remarks>
    public CoapResponse? FindRefusal(in OptionSet options)
    {
        // An option takes at least one byte, so most messages need no count.
        if (options.Wire.Length <= _alwaysAllowed) { return null; }
        int segments = 0, length = 0, arguments = 0;
        for (var reader = options.Read(); reader.Next() && reader.Number <= QueryNumber;)
        {
            if (reader.Number == PathNumber)
            {
                segments++;
                length += 1 + reader.Value.Length;
            }
            else if (reader.Number == QueryNumber) { arguments++; }
        }
        return segments > maxPathSegments ? Refusal("path", $"{segments} segments", maxPathSegments)
            : length > maxPathLength ? Refusal("path", $"{length} bytes", maxPathLength)
            : arguments > maxQueryArguments ? Refusal("query", $"{arguments} arguments", maxQueryArguments)
            : null;
    }

    private static CoapResponse Refusal(string part, string size, int limit) =>
        Response.Error(ResponseCode.BadRequest, $"The {part} has {size}; at most {limit} are accepted.");
}
