using System.Buffers.Binary;

namespace CoAP.Transports;

/// <summary>Counts open connections, in all and by address. Shared by all acceptors of a server; safe for concurrent use.</summary>
internal sealed class ConnectionLimits(int maxConnections, int maxPerAddress)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<ulong, int> _byAddress = [];

    /// <param name="settings">The limits.</param>
    /// <param name="areBlocking">Whether each connection has a thread.</param>
    public ConnectionLimits(TcpSettings settings, bool areBlocking)
        : this(areBlocking ? Math.Min(settings.MaxConnections, settings.MaxConnectionThreads) : settings.MaxConnections, settings.MaxConnectionsPerAddress)
    {
    }

    public int Count { get; private set; }

    /// <summary>Counts the connection, or tells the limit that it would go past. Whoever was counted leaves again.</summary>
    public bool TryEnter(in PeerIdentity peer, out ConnectionLimit limit)
    {
        var isIn = TryCount(peer, out limit);
        if (isIn) { ConnectionCounters.OnEntered(); }
        else { ConnectionCounters.OnRefused(); }
        return isIn;
    }

    public void Leave(in PeerIdentity peer)
    {
        ConnectionCounters.OnLeft();
        lock (_lock)
        {
            Count--;
            if (!peer.IsIP) { return; }
            var group = GroupOf(peer);
            var left = _byAddress[group] - 1;
            if (left == 0) { _byAddress.Remove(group); }
            else { _byAddress[group] = left; }
        }
    }

    private bool TryCount(in PeerIdentity peer, out ConnectionLimit limit)
    {
        lock (_lock)
        {
            limit = new ConnectionLimit(maxConnections, "MaxConnections");
            if (Count >= maxConnections) { return false; }
            Count++;
            if (!peer.IsIP) { return true; }    // local sockets have no addresses
            var group = GroupOf(peer);
            var ofAddress = _byAddress.GetValueOrDefault(group);
            if (ofAddress >= maxPerAddress)
            {
                limit = new ConnectionLimit(maxPerAddress, "MaxConnectionsPerAddress");
                Count--;
                return false;
            }
            _byAddress[group] = ofAddress + 1;
            return true;
        }
    }

    // Who has one address of IPv6 usually has the whole /64. The mapped form of IPv4 has no high half, so the two do not meet.
    private static ulong GroupOf(in PeerIdentity peer)
    {
        if (peer.IsIPv4) { return peer.IPv4Address; }
        Span<byte> address = stackalloc byte[16];
        peer.WriteIPv6(address);
        var prefix = BinaryPrimitives.ReadUInt64BigEndian(address);
        return prefix != 0 ? prefix : BinaryPrimitives.ReadUInt64BigEndian(address[8..]);
    }
}

/// <summary>A limit that was reached.</summary>
/// <param name="Count">What it is.</param>
/// <param name="Setting">Its name among the settings.</param>
internal readonly record struct ConnectionLimit(int Count, string Setting);
