using System.Numerics;

namespace CoAP.Freshness;

/// <summary>The peers that have proved that they receive messages at their address (RFC 9175, section 2.4, item 3).</summary>
/// <remarks>
/// A fixed table with 16 bytes per peer, created with the first peer. Each peer has a few possible entries. If all of them are in use, a new peer replaces
/// one of the owner that has most of them, so an owner of many peers replaces its own. Of these entries, the one that expires first is replaced.
/// Unverified peers are not stored, so forged addresses cost nothing.
/// </remarks>
/// <param name="capacity">The largest number of peers, rounded up to a power of two.</param>
internal sealed class VerifiedPeers(int capacity)
{
    private const int Ways = 4;

    private readonly uint _lastSet = BitOperations.RoundUpToPowerOf2((uint)Math.Max(1, (capacity + Ways - 1) / Ways)) - 1;
    private Place[]? _places;

    // 16 bytes, so that a set fits into a cache line: 40 bits of milliseconds last for 34 years.
    private readonly struct Place(ulong peer, uint owner, long until)
    {
        private const int OwnerBits = 24;
        private const uint OwnerMask = (1u << OwnerBits) - 1;

        private readonly ulong _untilAndOwner =
            (ulong)((until + TimeSpan.TicksPerMillisecond - 1) / TimeSpan.TicksPerMillisecond) << OwnerBits | (owner & OwnerMask);

        public readonly ulong Peer = peer;

        public uint Owner => (uint)_untilAndOwner & OwnerMask;

        public long Until => (long)(_untilAndOwner >> OwnerBits) * TimeSpan.TicksPerMillisecond;
    }

    /// <summary>The number of entries of the table; 0 until a peer was verified.</summary>
    public int Places => _places?.Length ?? 0;

    /// <summary>Extends the time of a peer. Returns <see langword="false"/> if the peer is not in the table.</summary>
    /// <param name="peer">The hash of the peer under a secret key.</param>
    /// <param name="until">The time at which the proof expires.</param>
    public bool TryExtend(ulong peer, long until)
    {
        if (_places is null) { return false; }
        foreach (ref var place in SetOf(peer))
        {
            if (place.Peer != peer) { continue; }
            place = new Place(peer, place.Owner, until);
            return true;
        }
        return false;
    }

    /// <summary>Adds a peer that is not in the table.</summary>
    /// <param name="peer">The hash of the peer under a secret key.</param>
    /// <param name="owner">The hash of the account of the peer.</param>
    /// <param name="until">The time at which the proof expires.</param>
    /// <param name="now">The time.</param>
    public void Add(ulong peer, uint owner, long until, long now)
    {
        _places ??= new Place[(_lastSet + 1) * Ways];
        var set = SetOf(peer);
        var added = new Place(peer, owner, until);
        var (replaced, most) = (0, 0);
        for (var i = 0; i < Ways; i++)
        {
            var held = set[i].Until <= now ? int.MaxValue : set[i].Owner == added.Owner ? 1 : 0;
            for (var other = 0; other < Ways && held < int.MaxValue; other++) { held += set[other].Owner == set[i].Owner ? 1 : 0; }
            if (held > most || (held == most && set[i].Until < set[replaced].Until)) { (replaced, most) = (i, held); }
        }
        set[replaced] = added;
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
