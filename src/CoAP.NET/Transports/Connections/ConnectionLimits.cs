using System.Buffers.Binary;

namespace CoAP.Transports;

/// <summary>Limits the open connections, in total and per address. All acceptors of a server share one instance.</summary>
/// <remarks>Safe for concurrent use.</remarks>
internal sealed class ConnectionLimits(int maxConnections, int maxPerAddress)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<ulong, int> _byAddress = [];

    /// <param name="settings">The limits.</param>
    /// <param name="areBlocking">Whether each connection has its own thread.</param>
    public ConnectionLimits(TcpSettings settings, bool areBlocking)
        : this(areBlocking ? Math.Min(settings.MaxConnections, settings.MaxConnectionThreads) : settings.MaxConnections, settings.MaxConnectionsPerAddress)
    {
    }

    /// <summary>The open connections.</summary>
    public int Count { get; private set; }

    /// <summary>Counts the connection, or returns the limit that it would exceed. Call <see cref="Leave"/> when a counted connection ends.</summary>
    public bool TryEnter(in PeerIdentity peer, out ConnectionLimit limit)
    {
        var isIn = TryCount(peer, out limit);
        if (isIn)
        {
            Interlocked.Increment(ref ConnectionCounters.Active);
            Interlocked.Increment(ref ConnectionCounters.Accepted);
        }
        else { Interlocked.Increment(ref ConnectionCounters.Refused); }
        return isIn;
    }

    /// <summary>Ends the count of a connection.</summary>
    public void Leave(in PeerIdentity peer)
    {
        Interlocked.Decrement(ref ConnectionCounters.Active);
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
            if (!peer.IsIP) { return true; }    // a local socket has no address
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

    // The holder of one IPv6 address usually has the whole /64. A mapped IPv4 address has zeros in its upper half, so the two cannot collide.
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
/// <param name="Count">The value of the limit.</param>
/// <param name="Setting">The name of its setting.</param>
internal readonly record struct ConnectionLimit(int Count, string Setting);
