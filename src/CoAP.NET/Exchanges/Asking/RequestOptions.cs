using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>The options of a request that is about to be sent: its own, and those of its URI (RFC 7252, section 6.4).</summary>
internal static class RequestOptions
{
    private const int HeaderAndToken = 4 + Token.InlineLength;

    /// <summary>Over a channel the URI is a path with an optional query; host and port are the peer's, unless an absolute URI names others.</summary>
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

    /// <summary>The options of a request that no response is wanted to (RFC 7967, section 2.1).</summary>
    /// <exception cref="ArgumentException">Its own No-Response option wants some.</exception>
    public static OptionSet Forgetting(OptionSet options)
    {
        if (options.Get<NoResponse>() is not { } own) { return options.With(NoResponse.AtAll); }
        if (own.SuppressesAll) { return options; }
        throw new ArgumentException($"No-Response {own.Value} wants responses of some class; send the request and wait for them, or say 26.", nameof(options));
    }

    /// <exception cref="ArgumentException">The request cannot be sent in one datagram.</exception>
    public static void ThrowIfTooLarge(CoapRequest request, OptionSet options, int limit)
    {
        var size = HeaderAndToken + options.Wire.Length + (request.Payload.IsEmpty ? 0 : 1 + request.Payload.Length);
        if (size > limit)
        {
            throw new ArgumentException($"The request is {size} bytes; at most {limit} fit into a message (MaxSendSize).", nameof(request));
        }
    }
}
