using CoAP.Options;

namespace CoAP.Channels;

/// <summary>The options of a request that is about to be sent: its own, and those of its URI (RFC 7252, section 6.4).</summary>
internal static class RequestOptions
{
    private const int HeaderAndToken = 4 + Token.InlineLength;

    /// <summary>Over a channel the URI is a path with an optional query; host and port are the channel's own.</summary>
    public static OptionSet Of(CoapRequest request)
    {
        if (request.Uri is not { } uri) { return request.Options; }
        var path = uri.StartsWith('/') ? CoapUri.Parse("coap://peer" + uri) : CoapUri.Parse(uri);
        return Merge(path.ToPathOptions(), request.Options);
    }

    /// <summary>Adds the request's own options to those of its URI.</summary>
    public static OptionSet Merge(OptionSet ofUri, OptionSet own) => own.IsEmpty ? ofUri : ofUri.With([.. own]);

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
