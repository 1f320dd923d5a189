using System.Numerics;

namespace CoAP.Freshness;

/// <summary>The peers that have shown that they receive what is sent to their address (RFC 9175, section 2.4, item 3).</summary>
/// <remarks>
/// A fixed table of 16 bytes per peer, made with the first one; of the places that a peer may take, the one that is over soonest goes to a new
/// peer. Who has shown nothing is not in it, so forged addresses create nothing.
/// </remarks>
internal sealed class VerifiedPeers
{
    private const int Ways = 4;

    private readonly uint _lastSet;
    private Place[]? _places;

    /// <param name="capacity">How many peers at most, rounded up to a power of two.</param>
    public VerifiedPeers(int capacity) => _lastSet = BitOperations.RoundUpToPowerOf2((uint)Math.Max(1, (capacity + Ways - 1) / Ways)) - 1;

    private struct Place
    {
        public ulong Peer;
        public long Until;
    }

    /// <summary>How many places there are; none as long as nobody was verified.</summary>
    public int Places => _places?.Length ?? 0;

    /// <summary>Remembers a peer for a time, from now on.</summary>
    /// <param name="peer">The peer's hash by a secret key.</param>
    /// <param name="until">When it has to show it again.</param>
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

    /// <summary>Whether a peer has shown it, not too long ago.</summary>
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
