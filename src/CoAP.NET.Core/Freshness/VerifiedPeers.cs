using System.Numerics;

namespace CoAP.Freshness;

/// <summary>The peers that have proved that they receive messages at their address (RFC 9175, section 2.4, item 3).</summary>
/// <remarks>
/// A fixed table with 16 bytes per peer, created with the first peer. Each peer has a few possible entries; a new peer replaces the one that
/// expires first. Unverified peers are not stored, so forged addresses cost nothing.
/// </remarks>
/// <param name="capacity">The largest number of peers, rounded up to a power of two.</param>
internal sealed class VerifiedPeers(int capacity)
{
    private const int Ways = 4;

    private readonly uint _lastSet = BitOperations.RoundUpToPowerOf2((uint)Math.Max(1, (capacity + Ways - 1) / Ways)) - 1;
    private Place[]? _places;

    private struct Place
    {
        public ulong Peer;
        public long Until;
    }

    /// <summary>The number of entries of the table; 0 until a peer was verified.</summary>
    public int Places => _places?.Length ?? 0;

    /// <summary>Adds a peer or extends its time.</summary>
    /// <param name="peer">The hash of the peer under a secret key.</param>
    /// <param name="until">The time at which the proof expires.</param>
    public void Add(ulong peer, long until)
    {
        _places ??= new Place[(_lastSet + 1) * Ways];
        var set = SetOf(peer);
        var oldest = 0;
        for (var i = 0; i < Ways; i++)
        {
            if (set[i].Peer == peer)
            {
                set[i].Until = until;
                return;
            }
            if (set[i].Until < set[oldest].Until) { oldest = i; }
        }
        set[oldest] = new Place { Peer = peer, Until = until };
    }

    /// <summary>Returns whether the proof of a peer has not expired.</summary>
    public bool Contains(ulong peer, long now)
    {
        if (_places is null) { return false; }
        foreach (ref readonly var place in SetOf(peer))
        {
            if (place.Peer == peer && now < place.Until) { return true; }
        }
        return false;
    }

    private Span<Place> SetOf(ulong peer) => _places.AsSpan((int)((uint)peer & _lastSet) * Ways, Ways);
}
