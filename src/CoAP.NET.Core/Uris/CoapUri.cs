using System.Net;
using System.Text;
using CoAP.Uris;

namespace CoAP;

/// <summary>The URI of a CoAP resource (RFC 7252, section 6; RFC 8323, section 8), in normal form (RFC 7252, section 6.3).</summary>
/// <remarks>
/// Immutable and safe for concurrent use. Two URIs are equal when they name the same resource: scheme and host in any case, the default
/// port written or not, characters percent-encoded or not, an empty path or "/". What it holds always fits into options.
/// </remarks>
public sealed partial class CoapUri : IEquatable<CoapUri>
{
    private readonly HostName _host;
    private readonly string[] _segments;
    private readonly string[] _arguments;
    private string? _text;

    private CoapUri(CoapScheme scheme, HostName host, int port, string[] segments, string[] arguments)
    {
        Scheme = scheme;
        _host = host;
        Port = port;
        _segments = segments;
        _arguments = arguments;
    }

    /// <summary>The scheme, which tells the transport.</summary>
    public CoapScheme Scheme { get; }

    /// <summary>The host as the Uri-Host option carries it: "example.org" without percent-encoding and in lower case, "192.0.2.1" or
    /// "[2001:db8::1]".</summary>
    public string Host => _host.Text;

    /// <summary>The address where the host is an IP literal; <see langword="null"/> where it is a name.</summary>
    /// <remarks>The scope ID is that of <see cref="Zone"/>; 0 where this machine has no interface of that name.</remarks>
    public IPAddress? Address => _host.Address;

    /// <summary>The zone of an IPv6 literal, such as "eth0"; it means something on this machine only and never goes into options
    /// (RFC 6874).</summary>
    public string? Zone => _host.Zone;

    /// <summary>The port, 0 to 65,535; the scheme's default where the URI names none.</summary>
    public int Port { get; }

    /// <summary>Whether the port is the scheme's default.</summary>
    public bool HasDefaultPort => Port == Scheme.GetDefaultPort();

    /// <summary>The segments of the path as Uri-Path options carry them; none for the path "/" (RFC 7252, section 6.4, step 8).</summary>
    public IReadOnlyList<string> PathSegments => _segments;

    /// <summary>The arguments of the query as Uri-Query options carry them (RFC 7252, section 6.4, step 9).</summary>
    public IReadOnlyList<string> QueryArguments => _arguments;

    /// <summary>The path, percent-encoded where needed; begins with "/".</summary>
    public string Path => new StringBuilder().AppendPath(_segments).ToString();

    /// <summary>The query with its question mark, percent-encoded where needed; empty where the URI has none.</summary>
    public string Query => new StringBuilder().AppendQuery(_arguments).ToString();

    /// <summary>Whether both name the same resource.</summary>
    public bool Equals(CoapUri? other) =>
        other is not null && Scheme == other.Scheme && Port == other.Port && Host == other.Host && Zone == other.Zone
        && _segments.AsSpan().SequenceEqual(other._segments) && _arguments.AsSpan().SequenceEqual(other._arguments);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as CoapUri);

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        var hash = new HashCode();
        hash.Add(Scheme);
        hash.Add(Host);
        hash.Add(Port);
        foreach (var segment in _segments) { hash.Add(segment); }
        hash.Add(_segments.Length);
        foreach (var argument in _arguments) { hash.Add(argument); }
        return hash.ToHashCode();
    }

    /// <summary>Whether both name the same resource.</summary>
    public static bool operator ==(CoapUri? left, CoapUri? right) => left is null ? right is null : left.Equals(right);

    /// <summary>Whether they name different resources.</summary>
    public static bool operator !=(CoapUri? left, CoapUri? right) => !(left == right);

    /// <summary>The URI in normal form, such as "coap://example.org/sensors?u=Cel".</summary>
    public override string ToString() => _text ??= Compose();

    private string Compose()
    {
        var builder = new StringBuilder(Scheme.GetName()).Append("://");
        _host.AppendTo(builder);
        if (!HasDefaultPort) { builder.Append(':').Append(Port); }
        return builder.AppendPath(_segments).AppendQuery(_arguments).ToString();
    }
}
