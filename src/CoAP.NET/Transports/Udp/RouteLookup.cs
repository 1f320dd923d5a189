using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>
/// Tells from which local address the system would send to a peer; asked only where several sockets could and nobody chose one.
/// </summary>
internal sealed class RouteLookup
{
    /// <summary>Past this many peers the answers are forgotten and asked for again.</summary>
    private const int Capacity = 1024;

    private readonly Dictionary<(PeerIdentity Peer, int Port), PeerIdentity> _sources = [];

    /// <summary>The local address with this port; none where there is no way to the peer.</summary>
    public PeerIdentity SourceFor(in PeerIdentity peer, int port)
    {
        if (_sources.TryGetValue((peer, port), out var known)) { return known; }
        if (_sources.Count == Capacity) { _sources.Clear(); }
        var source = Ask(peer.ToIPEndPoint()!) is { } address ? PeerIdentity.From(new IPEndPoint(address, port)) : default;
        _sources.Add((peer, port), source);
        return source;
    }

    private static IPAddress? Ask(IPEndPoint peer)
    {
        using var probe = new Socket(peer.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            // Connecting a UDP socket sends nothing; it only looks up the route.
            probe.Connect(peer);
            return ((IPEndPoint)probe.LocalEndPoint!).Address;
        }
        catch (SocketException)
        {
            return null;
        }
    }
}
