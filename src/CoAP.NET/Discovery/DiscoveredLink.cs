using CoAP.Discovery;

namespace CoAP;

/// <summary>A link to a resource, and who has it (RFC 6690).</summary>
public sealed class DiscoveredLink
{
    private readonly CoapUri _base;

    internal DiscoveredLink(WebLink link, PeerIdentity sender, CoapUri @base) => (Link, Sender, _base) = (link, sender, @base);

    /// <summary>The link as it was sent; its target may be relative.</summary>
    public WebLink Link { get; }

    /// <summary>Who sent it.</summary>
    public PeerIdentity Sender { get; }

    /// <summary>
    /// The absolute URI of the target, read from the endpoint that was asked, or from the address of the member of a group that answered
    /// (RFC 7252, section 8.2); <see langword="null"/> where the target is no coap URI.
    /// </summary>
    public string? Uri => _base.TryResolve(Link.Target, out var uri, out _) ? uri.ToString() : null;

    /// <summary>The link and its sender.</summary>
    public override string ToString() => $"{Link} of {Sender}";
}
