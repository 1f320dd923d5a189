using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>The attributes of spans. Their names follow the conventions of OpenTelemetry for HTTP, with "coap" where those say "http".</summary>
/// <remarks>They are known before a span starts, so that samplers can use them.</remarks>
internal static class SpanAttributes
{
    /// <summary>Returns the attributes of a request that this endpoint sends.</summary>
    public static List<KeyValuePair<string, object?>> OfClient(CoapCode method, in ChannelKey key, in OptionSet options, SpanContext context)
    {
        var target = SpanTarget.Of(options, context.Scheme, key.Peer);
        var tags = Common(method, target, key.Peer, context.IsReliable);
        if (target.ToUri(context.Settings.IncludesQuery) is { } uri) { tags.Add(new("url.full", uri)); }
        return tags;
    }

    /// <summary>Returns the attributes of a received request.</summary>
    /// <param name="message">The request.</param>
    /// <param name="key">The peer and the local address.</param>
    /// <param name="route">The template of the resource; <see langword="null"/> if it is not known.</param>
    /// <param name="context">The channel.</param>
    public static List<KeyValuePair<string, object?>> OfServer(CoapMessage message, in ChannelKey key, string? route, SpanContext context)
    {
        var target = SpanTarget.Of(message.Options, context.Scheme, key.Local);
        var tags = Common(message.Code, target, key.Peer, context.IsReliable);
        tags.Add(new("url.path", target.Path));
        tags.Add(new("client.address", SpanTarget.AddressOf(key.Peer)));
        if (key.Peer.Port != 0) { tags.Add(new("client.port", key.Peer.Port)); }
        if (context.Settings.IncludesQuery && target.Query.Length > 0) { tags.Add(new("url.query", target.Query)); }
        if (route is not null) { tags.Add(new("coap.route", route)); }
        return tags;
    }

    /// <summary>Returns the scheme of a peer on datagrams. A peer with a session has a name besides its address.</summary>
    public static string SchemeOf(in PeerIdentity peer) => peer is { IsIP: true, Name: not null } ? "coaps" : "coap";

    private static List<KeyValuePair<string, object?>> Common(CoapCode method, SpanTarget target, in PeerIdentity peer, bool isReliable)
    {
        var tags = new List<KeyValuePair<string, object?>>(capacity: 14)
        {
            new("coap.request.method", TelemetryNames.OfMethod(method)),
            new("network.peer.address", SpanTarget.AddressOf(peer)),
            new("network.transport", TelemetryNames.OfTransport(peer, isReliable)),
        };
        if (!TelemetryNames.IsRegistered(method)) { tags.Add(new("coap.request.method_original", method.ToString())); }
        if (target.Scheme is { } scheme) { tags.Add(new("url.scheme", scheme)); }
        if (target.Host is { } host) { tags.Add(new("server.address", host)); }
        if (target.Port != 0) { tags.Add(new("server.port", target.Port)); }
        if (peer.Port != 0) { tags.Add(new("network.peer.port", peer.Port)); }
        return tags;
    }
}
