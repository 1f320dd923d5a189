using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Text;
using CoAP.Options;
using CoAP.Uris;

namespace CoAP;

/// <summary>The URI of a CoAP resource in normal form (RFC 7252, sections 6 and 6.3; RFC 8323, section 8).</summary>
/// <remarks>
/// Immutable and safe for concurrent use. Two URIs are equal if they identify the same resource: differences in the case of scheme and host, an
/// explicit default port, percent-encoding, and an empty path or "/" do not matter. The parts of a URI always fit into options.
/// </remarks>
public sealed record CoapUri
{
    private string? _text;
    private bool _hasOptions;
    private SentOptions? _sent;     // from the second time on, because many URIs are used once

    internal CoapUri(CoapScheme scheme, HostName host, int port, string[] segments, string[] arguments) =>
        (Scheme, HostName, Port, Segments, Arguments) = (scheme, host, port, segments, arguments);

    /// <summary>The scheme, which determines the transport.</summary>
    public CoapScheme Scheme { get; }

    /// <summary>The host in the form of the Uri-Host option: "example.org" without percent-encoding and in lower case, "192.0.2.1" or
    /// "[2001:db8::1]".</summary>
    public string Host => HostName.Text;

    /// <summary>The address if the host is an IP literal; <see langword="null"/> if it is a name.</summary>
    /// <remarks>The scope ID is that of <see cref="Zone"/>, or 0 if this machine has no interface with that name. A client sends nothing
    /// to such an address.</remarks>
    public IPAddress? Address => HostName.Address;

    /// <summary>The zone of an IPv6 literal, such as "eth0". It has a meaning on this machine only and is never sent (RFC 6874).</summary>
    public string? Zone => HostName.Zone;

    /// <summary>The port, 0 to 65,535. Default: the port of the scheme.</summary>
    public int Port { get; }

    /// <summary>Whether the port is the default port of the scheme.</summary>
    public bool HasDefaultPort => Port == Scheme.GetDefaultPort();

    /// <summary>The path segments in the form of Uri-Path options; none for the path "/" (RFC 7252, section 6.4, step 8).</summary>
    public IReadOnlyList<string> PathSegments => Segments;

    /// <summary>The query arguments in the form of Uri-Query options (RFC 7252, section 6.4, step 9).</summary>
    public IReadOnlyList<string> QueryArguments => Arguments;

    /// <summary>The path, which starts with "/", percent-encoded where necessary.</summary>
    public string Path => new StringBuilder().AppendPath(Segments).ToString();

    /// <summary>The query with its question mark, percent-encoded where necessary; empty if there is none.</summary>
    public string Query => new StringBuilder().AppendQuery(Arguments).ToString();

    internal HostName HostName { get; }

    internal string[] Segments { get; }

    internal string[] Arguments { get; }

    /// <summary>Parses an absolute URI with one of the CoAP schemes.</summary>
    /// <exception cref="FormatException">The text is not such a URI. The message says what is wrong and where.</exception>
    public static CoapUri Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return TryParse(text, out var uri, out var error) ? uri : throw CoapUriParser.Malformed(text, error);
    }

    /// <summary>Parses an absolute URI with one of the CoAP schemes.</summary>
    /// <param name="text">The URI in ASCII. All other characters must be percent-encoded (RFC 3986, section 2).</param>
    /// <param name="uri">The URI.</param>
    /// <param name="error">A sentence that says what is wrong and where.</param>
    public static bool TryParse(string? text, [NotNullWhen(true)] out CoapUri? uri, [NotNullWhen(false)] out string? error) =>
        CoapUriParser.TryParse(text, out uri, out error);

    /// <summary>Resolves a reference against this URI, such as "../light", "?u=Cel" or another URI (RFC 3986, section 5.2).</summary>
    /// <exception cref="FormatException">The reference is malformed, has a fragment or is not a CoAP URI. The message says what is wrong
    /// and where.</exception>
    public CoapUri Resolve(string reference)
    {
        ArgumentNullException.ThrowIfNull(reference);
        return TryResolve(reference, out var uri, out var error) ? uri : throw CoapUriParser.Malformed(reference, error);
    }

    /// <summary>Resolves a reference against this URI (RFC 3986, section 5.2).</summary>
    /// <param name="reference">A relative reference or an absolute URI.</param>
    /// <param name="uri">The URI.</param>
    /// <param name="error">A sentence that says what is wrong and where.</param>
    public bool TryResolve(string? reference, [NotNullWhen(true)] out CoapUri? uri, [NotNullWhen(false)] out string? error) =>
        CoapUriParser.TryResolve(this, reference, out uri, out error);

    /// <summary>Returns the URI of a request.</summary>
    /// <inheritdoc cref="TryFromOptions(CoapScheme, OptionSet, IPAddress, int, out CoapUri?, out string?)" path="/param|/remarks"/>
    /// <exception cref="FormatException">The options are not a URI. The message says which option is wrong.</exception>
    public static CoapUri FromOptions(CoapScheme scheme, OptionSet options, IPAddress destination, int destinationPort) =>
        TryFromOptions(scheme, options, destination, destinationPort, out var uri, out var error) ? uri : throw new FormatException(error);

    /// <summary>Returns the URI of a request whose host is known without Uri-Host: from the SNI of TLS or the Host header of WebSockets
    /// (RFC 8323, section 8.5).</summary>
    /// <inheritdoc cref="TryFromOptions(CoapScheme, OptionSet, string, int, out CoapUri?, out string?)" path="/param|/remarks"/>
    /// <exception cref="FormatException">The options are not a URI. The message says which option is wrong.</exception>
    public static CoapUri FromOptions(CoapScheme scheme, OptionSet options, string defaultHost, int destinationPort) =>
        TryFromOptions(scheme, options, defaultHost, destinationPort, out var uri, out var error) ? uri : throw new FormatException(error);

    /// <summary>Determines the URI of a request.</summary>
    /// <param name="scheme">The scheme of the transport that the request arrived on.</param>
    /// <param name="options">The options of the request.</param>
    /// <param name="destination">The address that the request was sent to; the host if there is no Uri-Host.</param>
    /// <param name="destinationPort">The port that the request was sent to; the port if there is no Uri-Port.</param>
    /// <param name="uri">The URI.</param>
    /// <param name="error">A sentence that says which option is wrong.</param>
    /// <remarks>Ignores Proxy-Uri and Proxy-Scheme.</remarks>
    public static bool TryFromOptions(
        CoapScheme scheme, OptionSet options, IPAddress destination, int destinationPort,
        [NotNullWhen(true)] out CoapUri? uri, [NotNullWhen(false)] out string? error)
    {
        ArgumentNullException.ThrowIfNull(destination);
        return UriOptions.TryRead(scheme, options, HostName.Of(destination), destinationPort, out uri, out error);
    }

    /// <summary>Determines the URI of a request whose host is known without Uri-Host.</summary>
    /// <param name="scheme">The scheme of the transport that the request arrived on.</param>
    /// <param name="options">The options of the request.</param>
    /// <param name="defaultHost">The host if there is no Uri-Host, in the form of a URI.</param>
    /// <param name="destinationPort">The port that the request was sent to; the port if there is no Uri-Port.</param>
    /// <param name="uri">The URI.</param>
    /// <param name="error">A sentence that says which option is wrong.</param>
    /// <remarks>Ignores Proxy-Uri and Proxy-Scheme.</remarks>
    public static bool TryFromOptions(
        CoapScheme scheme, OptionSet options, string defaultHost, int destinationPort,
        [NotNullWhen(true)] out CoapUri? uri, [NotNullWhen(false)] out string? error)
    {
        ArgumentNullException.ThrowIfNull(defaultHost);
        uri = null;
        return HostName.TryRead(defaultHost, 0, out var host, out error)
            && UriOptions.TryRead(scheme, options, host, destinationPort, out uri, out error);
    }

    /// <summary>Returns the relative reference in the Location-Path and Location-Query options of a response. Call <see cref="Resolve"/> on the
    /// URI of the request to get an absolute URI.</summary>
    /// <returns><see langword="null"/> if there are no such options or one is not valid (RFC 7252, section 5.10.7).</returns>
    public static string? LocationOf(OptionSet options) => UriOptions.LocationOf(options);

    /// <summary>Returns the options of a request to the host and port of this URI: Uri-Host if the host is a name, Uri-Path and Uri-Query.</summary>
    public OptionSet ToOptions() => Collect(Address is null, withPort: false);

    /// <summary>Returns the options of a request to an address, which may be that of a proxy or one that the host name resolves to.</summary>
    /// <param name="destination">The address that the request is sent to.</param>
    /// <param name="destinationPort">The port that the request is sent to.</param>
    public OptionSet ToOptions(IPAddress destination, int destinationPort)
    {
        ArgumentNullException.ThrowIfNull(destination);
        if (_sent is { } sent && sent.Port == destinationPort && sent.Destination.Equals(destination)) { return sent.Options; }
        var options = Collect(!HostName.IsLiteralOf(destination), Port != destinationPort);
        if (_hasOptions) { _sent = new SentOptions(destination, destinationPort, options); }
        _hasOptions = true;
        return options;
    }

    /// <summary>Returns the options of a request whose host is known without Uri-Host: from the SNI of TLS, the Host header of WebSockets
    /// (RFC 8323, section 8.5), or by agreement.</summary>
    /// <param name="defaultHost">The host if there is no Uri-Host, in the form of a URI.</param>
    /// <param name="destinationPort">The port that the request is sent to.</param>
    /// <exception cref="ArgumentException"><paramref name="defaultHost"/> is not a host.</exception>
    public OptionSet ToOptions(string defaultHost, int destinationPort) => HostName.TryRead(defaultHost, 0, out var host, out var error)
        ? Collect(Host != host.Text, Port != destinationPort)
        : throw new ArgumentException($"\"{defaultHost}\" is not a host. {error}", nameof(defaultHost));

    /// <summary>Returns the options of path and query without host and port.</summary>
    public OptionSet ToPathOptions() => Collect(withHost: false, withPort: false);

    /// <summary>Whether both identify the same resource.</summary>
    public bool Equals(CoapUri? other) =>
        other is not null && Scheme == other.Scheme && Port == other.Port && Host == other.Host && Zone == other.Zone
        && Segments.AsSpan().SequenceEqual(other.Segments) && Arguments.AsSpan().SequenceEqual(other.Arguments);

    /// <inheritdoc/>
    public override int GetHashCode() => ToString().GetHashCode(StringComparison.Ordinal);

    /// <summary>Returns the URI in normal form, such as "coap://example.org/sensors?u=Cel".</summary>
    public override string ToString() => _text ??= Compose();

    private string Compose()
    {
        var builder = new StringBuilder(Scheme.GetName()).Append("://");
        HostName.AppendTo(builder);
        if (!HasDefaultPort) { builder.Append(':').Append(Port); }
        return builder.AppendPath(Segments).AppendQuery(Arguments).ToString();
    }

    private sealed record SentOptions(IPAddress Destination, int Port, OptionSet Options);

    private OptionSet Collect(bool withHost, bool withPort)
    {
        var options = new List<CoapOption>(2 + Segments.Length + Arguments.Length);
        if (withHost) { options.Add(new UriHost(Host)); }
        if (withPort) { options.Add(new UriPort((uint)Port)); }
        foreach (var segment in Segments) { options.Add(new UriPath(segment)); }
        foreach (var argument in Arguments) { options.Add(new UriQuery(argument)); }
        return [.. options];
    }
}
