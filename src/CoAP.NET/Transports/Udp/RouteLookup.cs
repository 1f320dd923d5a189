using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Finds the local address from which the system would send to a peer, and caches it.</summary>
internal sealed class RouteLookup
{
    // When the cache holds this many peers, it is emptied.
    private const int Capacity = 1024;

    private readonly Dictionary<PeerPlace, PeerIdentity> _sources = [];

    /// <summary>Returns the local address with this port, or none if no route leads to the peer.</summary>
    public PeerIdentity SourceFor(in PeerIdentity peer, int port)
    {
        if (_sources.TryGetValue(new(peer, port), out var known)) { return known; }
        if (_sources.Count == Capacity) { _sources.Clear(); }
        var source = Ask(peer.ToIPEndPoint()!) is { } address ? PeerIdentity.From(new IPEndPoint(address, port)) : default;
        _sources.Add(new(peer, port), source);
        return source;
    }

    private static IPAddress? Ask(IPEndPoint peer)
    {
        using var probe = new Socket(peer.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            // Connecting a UDP socket sends nothing. It only looks up the route.
            probe.Connect(peer);
            return ((IPEndPoint)probe.LocalEndPoint!).Address;
        }
        catch (SocketException)
        {
            return null;
        }
    }
}
