using System.Net;
using System.Text;
using CoAP.Options;
using CoAP.Uris;

namespace CoAP.Exchanges;

/// <summary>The resource that a request names, for the attributes of its span. Behind a proxy, the server is not the peer.</summary>
/// <param name="Scheme">The scheme; <see langword="null"/> if Proxy-Uri is malformed.</param>
/// <param name="Host">The host without brackets; <see langword="null"/> if Proxy-Uri is malformed.</param>
/// <param name="Port">The port; 0 if there is none.</param>
/// <param name="Path">The path in the form of a URI.</param>
/// <param name="Query">The query in the form of a URI, without the question mark; empty if there is none.</param>
internal readonly record struct SpanTarget(string? Scheme, string? Host, int Port, string Path, string Query)
{
    private const string Redacted = "REDACTED:REDACTED@";

    private string? Proxied { get; init; }

    /// <summary>Returns the target of a request (RFC 7252, sections 5.10.2 and 6.5).</summary>
    /// <param name="options">The options of the request.</param>
    /// <param name="scheme">The scheme if the request names none.</param>
    /// <param name="receiver">The address to which the request was sent. It has the host and the port that the request does not name.</param>
    public static SpanTarget Of(in OptionSet options, string scheme, in PeerIdentity receiver)
    {
        if (options.Get<ProxyUri>()?.Value is { } proxied) { return OfProxied(proxied); }
        var host = options.Get<UriHost>()?.Value ?? AddressOf(receiver);
        var port = (int?)options.Get<UriPort>()?.Value ?? receiver.Port;
        var path = new StringBuilder().AppendPath([.. options.GetAll<UriPath>().Select(static segment => segment.Value)]).ToString();
        var query = new StringBuilder().AppendQuery([.. options.GetAll<UriQuery>().Select(static argument => argument.Value)]).ToString();
        return new(options.Get<ProxyScheme>()?.Value ?? scheme, host.Trim('[', ']'), port, path, WithoutMark(query));
    }

    /// <summary>Returns the address of a peer without its port, or the name of a peer without an address.</summary>
    public static string AddressOf(in PeerIdentity peer) => peer.ToIPEndPoint()?.Address.ToString() ?? peer.ToString();

    /// <summary>Returns the URI, with a replacement for its user information, which can contain a password.</summary>
    /// <param name="includesQuery">Whether the URI has its query, which can contain secrets.</param>
    /// <returns><see langword="null"/> if Proxy-Uri is malformed.</returns>
    public string? ToUri(bool includesQuery)
    {
        if (Host is null) { return null; }
        if (Proxied is { } text) { return Redact(includesQuery ? text : text.Split('?', '#')[0]); }
        var builder = new StringBuilder(Scheme).Append("://");
        HostOf(Host).AppendTo(builder);
        if (Port != 0) { builder.Append(':').Append(Port); }
        builder.Append(Path);
        return includesQuery && Query.Length > 0 ? builder.Append('?').Append(Query).ToString() : builder.ToString();
    }

    // .NET takes a name such as "7" for an address, too.
    private static HostName HostOf(string host) =>
        host.AsSpan().ContainsAny(':', '.') && IPAddress.TryParse(host, out var address) ? HostName.Of(address) : new HostName(host, null, null);

    private static SpanTarget OfProxied(string text)
    {
        if (!Uri.TryCreate(text, UriKind.Absolute, out var uri) || uri.Host.Length == 0) { return new(null, null, 0, "/", ""); }
        var port = uri.Port >= 0 ? uri.Port : CoapSchemeExtensions.TryFind(uri.Scheme, out var known) ? known.GetDefaultPort() : 0;
        return new(uri.Scheme, uri.Host.Trim('[', ']'), port, uri.AbsolutePath, WithoutMark(uri.Query)) { Proxied = text };
    }

    private static string WithoutMark(string query) => query.Length == 0 ? query : query[1..];

    private static string Redact(string uri)
    {
        var start = uri.IndexOf("//", StringComparison.Ordinal) + 2;
        var end = uri.AsSpan(start).IndexOfAny('/', '?', '#');
        var authority = end < 0 ? uri.AsSpan(start) : uri.AsSpan(start, end);
        var at = authority.LastIndexOf('@');
        return at < 0 ? uri : string.Concat(uri.AsSpan(0, start), Redacted, uri.AsSpan(start + at + 1));
    }
}
