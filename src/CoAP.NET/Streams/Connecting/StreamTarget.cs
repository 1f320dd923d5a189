using System.Net;
using System.Net.Sockets;

namespace CoAP.Streams;

/// <summary>What a connection of ours leads to. Two names at one address are two: each has a certificate of its own.</summary>
/// <param name="Scheme">The transport.</param>
/// <param name="Peer">The address, the path of a local socket, or a name in memory.</param>
/// <param name="Host">The name that the certificate has to be for, or the Host of a WebSocket; empty where neither is.</param>
internal readonly record struct StreamTarget(CoapScheme Scheme, PeerIdentity Peer, string Host)
{
    public static StreamTarget Of(CoapScheme scheme, in PeerIdentity peer, string host) => new(scheme, peer, scheme is CoapScheme.CoapTcp ? "" : host);

    /// <summary>The same at another address: the transport stays, and the name that a certificate has to be for (RFC 8323, section 5.5).</summary>
    public StreamTarget At(CoapUri uri)
    {
        if (IsInMemory) { return this with { Peer = PeerIdentity.From(uri.Host) }; }
        return uri.Address is { } address
            ? this with { Peer = PeerIdentity.From(new IPEndPoint(address, uri.Port)) }
            : this with { Name = new DnsEndPoint(uri.Host, uri.Port) };
    }

    /// <summary>An address that is a name yet; none otherwise.</summary>
    public DnsEndPoint? Name { get; private init; }

    /// <summary>The port that it leads to.</summary>
    public int Port => Name?.Port ?? Peer.Port;

    /// <summary>The path of a local socket; none otherwise.</summary>
    public string? UnixPath { get; init; }

    /// <summary>What it leads to, for people.</summary>
    public string Place => Name is { } name ? $"{name.Host}:{name.Port}" : Peer.ToString();

    public bool IsWebSocket => Scheme is CoapScheme.CoapWs or CoapScheme.CoapsWs;

    public bool IsInMemory => UnixPath is null && !Peer.IsIP;

    public EndPoint EndPoint => UnixPath is { } path ? new UnixDomainSocketEndPoint(path) : (EndPoint?)Name ?? Peer.ToIPEndPoint()!;
}
