using System.Net;
using CoAP.Transports;

namespace CoAP.Channels;

/// <summary>Where a request with an absolute URI goes, and what it looks like there (RFC 7252, section 6.4).</summary>
internal readonly struct RequestTarget
{
    private readonly CoapRequest _request;
    private readonly CoapUri _uri;

    private RequestTarget(CoapRequest request, CoapUri uri) => (_request, _uri) = (request, uri);

    public CoapScheme Scheme => _uri.Scheme;

    /// <summary>Whether the URI names a group by its address (RFC 7252, section 8).</summary>
    public bool IsGroup => _uri.Address is { } address && address.IsMulticast();

    /// <summary>Whether the URI has an address instead of a name.</summary>
    public bool IsLiteral => _uri.Address is not null;

    /// <summary>What to resolve: a name, or an address with its scope.</summary>
    public string Host => _uri.Address?.ToString() ?? _uri.Host;

    public int Port => _uri.Port;

    /// <exception cref="ArgumentException">The request has no absolute URI.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    public static RequestTarget Of(CoapRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (request.Uri is not { } uri) { throw new ArgumentException("The request has no URI that says where to send it.", nameof(request)); }
        return new(request, CoapUri.Parse(uri));
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

    /// <summary>The request with all of its options and without the URI, as it goes over the channel to this address.</summary>
    public CoapRequest RequestTo(IPEndPoint peer) => new(_request.Method)
    {
        Options = RequestOptions.Merge(_uri.ToOptions(peer.Address, peer.Port), _request.Options),
        Payload = _request.Payload,
        IsConfirmable = _request.IsConfirmable,
        Transmission = _request.Transmission,
        ResponseTimeout = _request.ResponseTimeout,
    };
}
