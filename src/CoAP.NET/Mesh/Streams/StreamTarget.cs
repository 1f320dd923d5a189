using System.Net;

namespace CoAP.Mesh;

/// <summary>What a connection of ours leads to. Two names at one address are two: each has a certificate of its own.</summary>
/// <param name="Scheme">The transport.</param>
/// <param name="Peer">The address, the path of a local socket, or a name in memory.</param>
/// <param name="Host">The name that the certificate has to be for, or the Host of a WebSocket; empty where neither is.</param>
internal readonly record struct StreamTarget(CoapScheme Scheme, PeerIdentity Peer, string Host)
{
    public static StreamTarget Of(CoapScheme scheme, in PeerIdentity peer, string host) => new(scheme, peer, scheme is CoapScheme.CoapTcp ? "" : host);

    /// <summary>The path of a local socket; none otherwise.</summary>
    public string? UnixPath { get; init; }

    public bool IsWebSocket => Scheme is CoapScheme.CoapWs or CoapScheme.CoapsWs;

    public bool IsInMemory => UnixPath is null && !Peer.IsIP;

    public EndPoint EndPoint => UnixPath is { } path ? new System.Net.Sockets.UnixDomainSocketEndPoint(path) : Peer.ToIPEndPoint()!;
}
