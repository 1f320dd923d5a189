using CoAP.Discovery;

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
    /// The absolute URI of the target. A relative target is resolved against the URI of the endpoint, or against the address of the group member
    /// that responded (RFC 7252, section 8.2). <see langword="null"/> if the target is not a coap URI.
    /// </summary>
    public string? Uri => _base.TryResolve(Link.Target, out var uri, out _) ? uri.ToString() : null;

    /// <summary>Returns the link and its sender.</summary>
    public override string ToString() => $"{Link} from {Sender}";
}
