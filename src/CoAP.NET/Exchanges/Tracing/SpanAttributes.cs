using System.Diagnostics;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>The attributes of spans. Their names follow the conventions of OpenTelemetry for HTTP, with "coap" where those say "http".</summary>
internal static class SpanAttributes
{
    /// <summary>Describes a request that this endpoint sends.</summary>
    public static void DescribeClient(Activity? activity, CoapCode method, in ChannelKey key, in OptionSet options, SpanContext context)
    {
        if (activity is not { IsAllDataRequested: true }) { return; }
        var (address, port) = (AddressOf(key.Peer), key.Peer.Port);
        var host = options.Get<UriHost>()?.Value ?? address;
        activity
            .SetTag("coap.request.method", TelemetryNames.OfMethod(method))
            .SetTag("url.scheme", context.Scheme)
            .SetTag("url.full", FullUri(context.Scheme, host, port, options, context.Settings.IncludesQuery))
            .SetTag("server.address", host)
            .SetTag("network.peer.address", address)
            .SetTag("network.transport", TelemetryNames.OfTransport(key.Peer, context.IsReliable));
        if (port != 0) { activity.SetTag("server.port", port).SetTag("network.peer.port", port); }
    }

    /// <summary>Describes a received request.</summary>
    public static void DescribeServer(Activity? activity, CoapMessage message, in ChannelKey key, SpanContext context)
    {
        if (activity is not { IsAllDataRequested: true }) { return; }
        var peer = AddressOf(key.Peer);
        activity
            .SetTag("coap.request.method", TelemetryNames.OfMethod(message.Code))
            .SetTag("url.scheme", context.Scheme)
            .SetTag("url.path", "/" + string.Join('/', message.Options.GetAll<UriPath>().Select(static segment => segment.Value)))
            .SetTag("server.address", message.Options.Get<UriHost>()?.Value ?? AddressOf(key.Local))
            .SetTag("client.address", peer)
            .SetTag("network.peer.address", peer)
            .SetTag("network.transport", TelemetryNames.OfTransport(key.Peer, context.IsReliable));
        if (key.Local.Port != 0) { activity.SetTag("server.port", key.Local.Port); }
        if (key.Peer.Port != 0) { activity.SetTag("client.port", key.Peer.Port).SetTag("network.peer.port", key.Peer.Port); }
        if (context.Settings.IncludesQuery && QueryOf(message.Options) is { Length: > 0 } query) { activity.SetTag("url.query", query); }
    }

    /// <summary>Returns the scheme of a peer on datagrams. A peer with a session has a name besides its address.</summary>
    public static string SchemeOf(in PeerIdentity peer) => peer is { IsIP: true, Name: not null } ? "coaps" : "coap";

    private static string AddressOf(in PeerIdentity peer) => peer.ToIPEndPoint()?.Address.ToString() ?? peer.ToString();

    // The URI of the request, or that for a proxy. A query can contain secrets.
    private static string FullUri(string scheme, string host, int port, in OptionSet options, bool includesQuery)
    {
        if (options.Get<ProxyUri>()?.Value is { } proxied)
        {
            var end = proxied.IndexOf('?', StringComparison.Ordinal);
            return includesQuery || end < 0 ? proxied : proxied[..end];
        }
        var authority = host.Contains(':', StringComparison.Ordinal) && host[0] != '[' ? $"[{host}]" : host;
        if (port != 0) { authority = $"{authority}:{port}"; }
        var path = string.Join('/', options.GetAll<UriPath>().Select(static segment => Uri.EscapeDataString(segment.Value)));
        var query = includesQuery ? QueryOf(options) : "";
        return query.Length == 0 ? $"{scheme}://{authority}/{path}" : $"{scheme}://{authority}/{path}?{query}";
    }

    private static string QueryOf(in OptionSet options) => string.Join(
        '&', options.GetAll<UriQuery>().Select(static argument => Uri.EscapeDataString(argument.Value).Replace("%3D", "=", StringComparison.Ordinal)));
}
