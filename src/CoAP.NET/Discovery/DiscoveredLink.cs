using CoAP.Discovery;
using CoAP.Transports;
using CoAP.Uris;

namespace CoAP;

/// <summary>A link to a resource, and the endpoint that sent it (RFC 6690).</summary>
public sealed class DiscoveredLink
{
    private readonly CoapUri _base;

    internal DiscoveredLink(WebLink link, PeerIdentity sender, CoapUri @base) => (Link, Sender, _base) = (link, sender, @base);

    /// <summary>The link as it was sent. Its target may be relative.</summary>
    public WebLink Link { get; }

    /// <summary>The endpoint that sent the link.</summary>
    public PeerIdentity Sender { get; }

    /// <summary>
    /// The absolute URI of the target. A relative target is resolved against the URI of the endpoint, or against the address of the group
    /// member that responded (RFC 7252, section 8.2). A link-local address in it is on the link to the sender. <see langword="null"/> if
    /// the target is not a coap URI, or has a zone: that is the name of an interface of another machine (RFC 6874, section 1).
    /// </summary>
    public string? Uri
    {
        get
        {
            if (!_base.TryResolve(Link.Target, out var uri, out _)) { return null; }
            if (!new UriReference(Link.Target).HasAuthority || uri.Address is not { } address) { return uri.ToString(); }
            if (uri.Zone is not null) { return null; }
            var reachable = address.OnLinkOf(Sender);
            return (reachable == address ? uri : CoapUri.FromOptions(uri.Scheme, uri.ToPathOptions(), reachable, uri.Port)).ToString();
        }
    }

    /// <summary>Returns the link and its sender.</summary>
    public override string ToString() => $"{Link} from {Sender}";
}
