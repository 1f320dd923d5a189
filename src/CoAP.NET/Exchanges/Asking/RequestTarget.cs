using System.Net;
using CoAP.Options;
using CoAP.Transports;

namespace CoAP.Exchanges;

/// <summary>The destination of a request with an absolute URI, and the request that is sent there (RFC 7252, section 6.4).</summary>
internal readonly struct RequestTarget
{
    private readonly CoapRequest _request;
    private readonly CoapUri _uri;
    private readonly OptionSet _options;

    private RequestTarget(CoapRequest request, CoapUri uri, OptionSet options, long endsAt = 0) =>
        (_request, _uri, _options, EndsAt) = (request, uri, options, endsAt);

    /// <summary>The end of the call as a timestamp of the client's clock; 0 if its time is not limited.</summary>
    public long EndsAt { get; }

    public CoapScheme Scheme => _uri.Scheme;

    /// <summary>Whether the URI names a group by its address (RFC 7252, section 8).</summary>
    public bool IsGroup => _uri.Address is { } address && address.IsMulticast();

    /// <summary>Whether the URI has an address instead of a name.</summary>
    public bool IsLiteral => _uri.Address is not null;

    /// <summary>The address that the URI has instead of a name; <see langword="null"/> if it has a name.</summary>
    public IPAddress? Literal => _uri.Address;

    /// <summary>The zone of <see cref="Literal"/> as it was written.</summary>
    public string? Zone => _uri.Zone;

    /// <summary>The host to resolve: a name, or an address with its scope.</summary>
    public string Host => _uri.Address?.ToString() ?? _uri.Host;

    /// <summary>The name that a certificate must have: the host name, or the address without its scope.</summary>
    public string HostName => _uri.Address is { } address ? new IPAddress(address.GetAddressBytes()).ToString() : _uri.Host;

    public int Port => _uri.Port;

    /// <summary>Parses the URI of a request.</summary>
    /// <exception cref="ArgumentException">The request has no absolute URI, it has the port 0, it has both Proxy-Uri and a path or a query,
    /// or an option has the zone of an address.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    public static RequestTarget Of(CoapRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (request.Uri is not { } uri)
        {
            throw new ArgumentException("The request has no URI. Without a channel, a request needs an absolute URI.", nameof(request));
        }
        var target = new RequestTarget(request, RecentUris.Parse(uri), request.Options);
        if (target.Port == 0) { throw new ArgumentException($"\"{uri}\" has the port 0, to which nothing can be sent.", nameof(request)); }
        if (RequestOptions.MayBeRefused(request.Options)) { _ = target.PathOptions; }     // throws before the connection is open
        return target;
    }

    /// <summary>Parses the URI of a request to a single endpoint.</summary>
    /// <exception cref="ArgumentException">The request has no absolute URI, or one that names a group.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    public static RequestTarget OfOne(CoapRequest request)
    {
        var target = Of(request);
        if (target is { IsGroup: true, Scheme: not CoapScheme.Coap })
        {
            throw new ArgumentException($"{target.Host} is a multicast address, and only the scheme coap has groups, not {target.Scheme.GetName()}. Use coap with MulticastAsync or Multicast (RFC 7252, section 8).", nameof(request));
        }
        if (target.IsGroup) { ThrowIfGroup(PeerIdentity.From(new IPEndPoint(target._uri.Address!, target.Port))); }
        return target;
    }

    /// <summary>Throws if the peer is a group.</summary>
    /// <exception cref="ArgumentException">The peer is a group, whose members would all answer.</exception>
    public static void ThrowIfGroup(in PeerIdentity peer)
    {
        if (peer.IsMulticast)
        {
            throw new ArgumentException(
                $"{peer} is a multicast address. Use MulticastAsync or Multicast for requests to a group (RFC 7252, section 8).");
        }
    }

    /// <summary>Returns the request to the group that the URI names. Works without an address on an in-memory network.</summary>
    public CoapRequest RequestToGroup() => RequestTo(new IPEndPoint(_uri.Address ?? IPAddress.None, Port));

    public CoapRequest Request => _request;

    /// <summary>The scheme, host and port of the URI.</summary>
    public string Origin => $"{_uri.Scheme}://{_uri.Host}%{_uri.Zone}:{_uri.Port}";

    /// <summary>The options of the request, including those of the path and the query.</summary>
    public OptionSet PathOptions => RequestOptions.Merge(_uri.ToPathOptions(), _options);

    /// <summary>Returns the target with the ETag of a stored response, which the server can validate (RFC 7252, section 5.6.2).</summary>
    public RequestTarget Validating(ETag tag) => new(_request, _uri, _options.With(tag), EndsAt);

    /// <summary>Returns the target with the end of a call that starts now.</summary>
    /// <param name="timeout">The time limit of a call whose request does not set one; <see langword="null"/> if it is not limited.</param>
    /// <param name="time">The clock.</param>
    public RequestTarget Within(TimeSpan? timeout, TimeProvider time)
    {
        if (CoapRequest.TotalTime(_request.Timeout, timeout) is not { } total) { return this; }
        var ticks = (Int128)total.Ticks * time.TimestampFrequency / TimeSpan.TicksPerSecond;
        return new(_request, _uri, _options, (long)Int128.Min(time.GetTimestamp() + ticks, long.MaxValue));
    }

    /// <summary>Returns the request as it is sent over a channel to this address: with all options and without the URI.</summary>
    /// <remarks>The channel leads to another address if the server has named an alternative address (RFC 8323, sections 5.5 and 8.6).</remarks>
    public CoapRequest RequestOver(IChannel channel, IPEndPoint address) =>
        RequestTo(!channel.IsReliable || channel.Peer == PeerIdentity.From(address) ? address : channel.Peer.ToIPEndPoint() ?? address);

    /// <summary>Returns the request as it is sent to this address: with all options and without the URI.</summary>
    public CoapRequest RequestTo(IPEndPoint peer) =>
        _request.Resolved(RequestOptions.Merge(_uri.ToOptions(peer.Address, peer.Port), _options), EndsAt);
}
