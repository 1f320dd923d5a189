using System.Net;
using CoAP.Options;
using CoAP.Transports;

namespace CoAP.Exchanges;

/// <summary>Where a request with an absolute URI goes, and what it looks like there (RFC 7252, section 6.4).</summary>
internal readonly struct RequestTarget
{
    private readonly CoapRequest _request;
    private readonly CoapUri _uri;
    private readonly OptionSet _options;

    private RequestTarget(CoapRequest request, CoapUri uri, OptionSet options) => (_request, _uri, _options) = (request, uri, options);

    public CoapScheme Scheme => _uri.Scheme;

    /// <summary>Whether the URI names a group by its address (RFC 7252, section 8).</summary>
    public bool IsGroup => _uri.Address is { } address && address.IsMulticast();

    /// <summary>Whether the URI has an address instead of a name.</summary>
    public bool IsLiteral => _uri.Address is not null;

    /// <summary>What to resolve: a name, or an address with its scope.</summary>
    public string Host => _uri.Address?.ToString() ?? _uri.Host;

    /// <summary>The name, or the address without a scope, that a certificate has to be for.</summary>
    public string HostName => _uri.Address is { } address ? new IPAddress(address.GetAddressBytes()).ToString() : _uri.Host;

    public int Port => _uri.Port;

    /// <exception cref="ArgumentException">The request has no absolute URI.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    public static RequestTarget Of(CoapRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (request.Uri is not { } uri) { throw new ArgumentException("The request has no URI that says where to send it.", nameof(request)); }
        return new(request, CoapUri.Parse(uri), request.Options);
    }

    /// <summary>The same for a request to one endpoint.</summary>
    /// <exception cref="ArgumentException">The request has no absolute URI, or one that names a group.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    public static RequestTarget OfOne(CoapRequest request)
    {
        var target = Of(request);
        if (target.IsGroup) { ThrowIfGroup(PeerIdentity.From(new IPEndPoint(target._uri.Address!, target.Port))); }
        return target;
    }

    /// <exception cref="ArgumentException">The peer is a group, whose members would all answer.</exception>
    public static void ThrowIfGroup(in PeerIdentity peer)
    {
        if (peer.IsMulticast)
        {
            throw new ArgumentException(
                $"{peer} is a multicast address, and a call with one response has one peer: use MulticastAsync or Multicast of CoapClient (RFC 7252, section 8).");
        }
    }

    /// <summary>The request to the group that the URI names by its address, on a network without addresses.</summary>
    public CoapRequest RequestToGroup() => RequestTo(new IPEndPoint(_uri.Address ?? IPAddress.None, Port));

    public CoapRequest Request => _request;

    /// <summary>Scheme, host and port: what the options of the path and query are relative to.</summary>
    public string Origin => $"{_uri.Scheme}://{_uri.Host}%{_uri.Zone}:{_uri.Port}";

    /// <summary>The request's options with those of path and query.</summary>
    public OptionSet PathOptions => RequestOptions.Merge(_uri.ToPathOptions(), _options);

    /// <summary>The same request with the tag of a stored response that the server may confirm (RFC 7252, section 5.6.2).</summary>
    public RequestTarget Validating(ETag tag) => new(_request, _uri, _options.With(tag));

    /// <summary>The request with all of its options and without the URI, as it goes over the channel to this address.</summary>
    /// <remarks>The channel may lead elsewhere, where the server at this address has asked for that (RFC 8323, sections 5.5 and 8.6).</remarks>
    public CoapRequest RequestOver(IChannel channel, IPEndPoint address) =>
        RequestTo(!channel.IsReliable || channel.Peer == PeerIdentity.From(address) ? address : channel.Peer.ToIPEndPoint() ?? address);

    /// <summary>The request with all of its options and without the URI, as it goes to this address.</summary>
    public CoapRequest RequestTo(IPEndPoint peer) =>
        _request.Resolved(RequestOptions.Merge(_uri.ToOptions(peer.Address, peer.Port), _options));
}
