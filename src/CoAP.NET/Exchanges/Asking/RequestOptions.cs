using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>Computes the options of a request: its own and those of its URI (RFC 7252, section 6.4).</summary>
internal static class RequestOptions
{
    /// <summary>Returns all options of a request over a channel. Its URI is a path with an optional query, or an absolute URI with a host and port.</summary>
    public static OptionSet Of(CoapRequest request, in PeerIdentity peer)
    {
        if (request.Uri is not { } uri) { return request.Options; }
        if (uri.StartsWith('/')) { return Merge(CoapUri.Parse("coap://peer" + uri).ToPathOptions(), request.Options); }
        var absolute = CoapUri.Parse(uri);
        var ofUri = peer.ToIPEndPoint() is { } address ? absolute.ToOptions(address.Address, address.Port) : absolute.ToPathOptions();
        return Merge(ofUri, request.Options);
    }

    /// <summary>Adds the request's own options to those of its URI.</summary>
    public static OptionSet Merge(OptionSet ofUri, OptionSet own) => own.IsEmpty ? ofUri : ofUri.With([.. own]);

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
