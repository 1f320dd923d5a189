using System.Net;
using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>The target of a connection. Two names at one address are two targets, because each has its own certificate.</summary>
/// <param name="Scheme">The transport.</param>
/// <param name="Peer">The address, the path of a local socket, or a name in the in-memory network.</param>
/// <param name="Host">The name that the certificate must have, or the host of a WebSocket; otherwise empty.</param>
internal readonly record struct StreamTarget(CoapScheme Scheme, PeerIdentity Peer, string Host) : ISeededKey
{
    public static StreamTarget Of(CoapScheme scheme, in PeerIdentity peer, string host) => new(scheme, peer, scheme is CoapScheme.CoapTcp ? "" : host);

    /// <summary>Returns the target of a local socket.</summary>
    public static StreamTarget Unix(string path) => new(CoapScheme.CoapTcp, PeerIdentity.From($"unix:{path}"), "") { UnixPath = path };

    /// <summary>Returns whether a URI names the host of this target: its address, or the name that its certificate must have.</summary>
    public bool IsHostOf(CoapUri uri)
    {
        if (UnixPath is not null) { return false; }
        if (IsInMemory) { return Peer == PeerIdentity.From(uri.Host); }
        return uri.Address is { } address
            ? Peer == PeerIdentity.From(new IPEndPoint(address.OnLinkOf(Peer), Peer.Port))
            : Host.Length > 0 && string.Equals(Host, uri.Host, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>Returns the target at another address, with the same transport and the same name of the certificate (RFC 8323, section 5.5).</summary>
    public StreamTarget At(CoapUri uri)
    {
        if (IsInMemory) { return this with { Peer = PeerIdentity.From(uri.Host) }; }
        return uri.Address is { } address
            ? this with { Peer = PeerIdentity.From(new IPEndPoint(address.OnLinkOf(Peer), uri.Port)) }
            : this with { Name = new DnsEndPoint(uri.Host, uri.Port) };
    }

    /// <summary>Returns the reason why an alternative address of the peer cannot be used; <see langword="null"/> if it can.</summary>
    /// <remarks>A zone has a meaning only on the machine that wrote it, and the platform would take a name with a colon for an
    /// address.</remarks>
    public string? ReasonAgainst(CoapUri uri)
    {
        if (UnixPath is not null || IsInMemory) { return null; }
        if (uri.Address is not { } address)
        {
            return uri.Host.Contains(':', StringComparison.Ordinal) ? "an IPv6 address needs brackets" : null;
        }
        if (uri.Zone is not null) { return "it has a zone, which has no meaning on another machine (RFC 6874, section 1)"; }
        return address.OnLinkOf(Peer).LacksZone() ? "it is link-local, but the connection is not, so its zone is unknown" : null;
    }

    /// <summary>The address, if it is a host name; otherwise <see langword="null"/>.</summary>
    public DnsEndPoint? Name { get; private init; }

    /// <summary>The port of the address.</summary>
    public int Port => Name?.Port ?? Peer.Port;

    /// <summary>The path of a local socket; otherwise <see langword="null"/>.</summary>
    public string? UnixPath { get; init; }

    /// <summary>The address for error texts.</summary>
    public string Place => Name is { } name ? $"{name.Host}:{name.Port}" : Peer.ToString();

    public bool IsWebSocket => Scheme is CoapScheme.CoapWs or CoapScheme.CoapsWs;

    public bool IsInMemory => UnixPath is null && !Peer.IsIP;

    public override int GetHashCode() => SeededHash.Combine(Peer.GetHashCode(), Host.GetHashCode(StringComparison.Ordinal));

    public EndPoint EndPoint => UnixPath is { } path ? new UnixDomainSocketEndPoint(path) : (EndPoint?)Name ?? Peer.ToIPEndPoint()!;
}
