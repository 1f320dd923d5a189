using System.Net;

namespace CoAP.Channels;

/// <summary>Where a request with an absolute URI goes, and what it looks like there (RFC 7252, section 6.4).</summary>
internal readonly struct RequestTarget
{
    private readonly CoapRequest _request;
    private readonly CoapUri _uri;

    private RequestTarget(CoapRequest request, CoapUri uri) => (_request, _uri) = (request, uri);

    public CoapScheme Scheme => _uri.Scheme;

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
        return new(request, CoapUri.Parse(uri));
    }

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
