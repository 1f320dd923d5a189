using CoAP.Options;
using CoAP.Transports;

namespace CoAP.Exchanges;

/// <summary>Computes the options of a request: its own and those of its URI (RFC 7252, section 6.4).</summary>
internal static class RequestOptions
{
    private static readonly OptionDeclaration[] UriOptions = [UriHost.Declaration, UriPort.Declaration, UriPath.Declaration, UriQuery.Declaration];
    private static readonly ulong ProxyUriBit = OptionNumber.SeenBit(ProxyUri.Declaration.Number);
    private static readonly ulong ZonedBits = ProxyUriBit | OptionNumber.SeenBit(UriHost.Declaration.Number);

    /// <summary>
    /// Whether <see cref="Merge"/> may refuse the options of a request because they name a proxy or have the zone of an address.
    /// </summary>
    public static bool MayBeRefused(OptionSet own) => (own.Seen & ProxyUriBit) != 0 || MayHaveZone(own);

    /// <summary>Returns all options of a request over a channel. Its URI is a path with an optional query, or an absolute URI with a host and port.</summary>
    public static OptionSet Of(CoapRequest request, in PeerIdentity peer)
    {
        if (request.Uri is not { } uri) { return Merge([], request.Options); }
        if (uri.StartsWith('/')) { return Merge(CoapUri.Parse("coap://peer" + uri).ToPathOptions(), request.Options); }
        var absolute = CoapUri.Parse(uri);
        if (peer.ToIPEndPoint() is not { } address) { return Merge(absolute.ToPathOptions(), request.Options); }
        if (absolute is { Zone: { } zone, Address: { } host }
            && (AddressZones.Find(host, zone) is not null || host.ScopeId != address.Address.ScopeId))
        {
            throw new ArgumentException(
                $"\"{absolute}\" has the zone '{zone}', but the channel leads to {peer}. Leave the zone out, or open a channel there.");
        }
        return Merge(absolute.ToOptions(address.Address, address.Port), request.Options);
    }

    /// <summary>Adds the request's own options to those of its URI. With Proxy-Uri, the URI only says where the proxy is.</summary>
    /// <exception cref="ArgumentException">The options contain Proxy-Uri and another option of a URI, or the zone of an
    /// address.</exception>
    public static OptionSet Merge(OptionSet ofUri, OptionSet own)
    {
        if (MayHaveZone(own)) { SentZones.ThrowIfAny(own); }
        if ((own.Seen & ProxyUriBit) != 0)
        {
            ThrowIfMixed(ofUri.Without(UriHost.Declaration.Number).Without(UriPort.Declaration.Number), "the URI of the request has");
            ThrowIfMixed(own, "the options contain");
            return own;
        }
        if (own.IsEmpty) { return ofUri; }
        return ofUri.IsEmpty ? own : ofUri.With([.. own]);
    }

    private static bool MayHaveZone(OptionSet own) => (own.Seen & ZonedBits) != 0 && own.Wire.Span.Contains((byte)'%');

    // RFC 7252, section 5.10.2: Proxy-Uri must not be sent together with these.
    private static void ThrowIfMixed(OptionSet options, string which)
    {
        foreach (var declaration in UriOptions)
        {
            if (!options.Contains(declaration.Number)) { continue; }
            throw new ArgumentException(
                $"Proxy-Uri names the whole URI of the resource, but {which} {declaration.Name} as well (RFC 7252, section 5.10.2). "
                + "Use a URI without a path and a query for the proxy.");
        }
    }

    /// <summary>Adds the No-Response option to the options of a request that needs no response (RFC 7967, section 2.1).</summary>
    /// <exception cref="ArgumentException">The options have a No-Response option that wants some responses.</exception>
    public static OptionSet Forgetting(OptionSet options)
    {
        if (options.Get<NoResponse>() is not { } own) { return options.With(NoResponse.SuppressAll); }
        if (own.SuppressesAll) { return options; }
        throw new ArgumentException(
            $"No-Response {own.Value} does not suppress all classes of responses. "
            + "Use 26 to suppress all of them, or call Send or SendAsync to wait for the response.",
            nameof(options));
    }
}
