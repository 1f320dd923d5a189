using System.Numerics;

namespace CoAP.Reliability;

/// <summary>The next message IDs for peers without their own object: the responses of a lane to non-confirmable requests.</summary>
/// <remarks>
/// A fixed table with 16 bytes per peer. Each peer has four possible entries; a new peer replaces the least recently used one and starts at a
/// number that cannot be predicted without the key (RFC 7252, section 4.4). There is no quarantine here. A peer that needs it has a
/// <see cref="MessageIdSource"/>, which continues the sequence after <see cref="TryTake"/> and returns it with <see cref="Put"/>.
/// </remarks>
/// <param name="capacity">The largest number of peers, rounded up to a power of two.</param>
/// <param name="key">A secret random number.</param>
internal sealed class MessageIdTable(int capacity, ulong key)
{
    private const int Ways = 4;

    private readonly Slot[] _slots = new Slot[BitOperations.RoundUpToPowerOf2((uint)Math.Max(1, (capacity + Ways - 1) / Ways)) * Ways];
    private uint _clock;
    private ulong _started;

    private struct Slot
    {
        public ulong Peer;
        public uint Used;       // 0 for never
        public ushort Next;
    }

    /// <summary>Returns the next ID for a peer.</summary>
    /// <param name="peer">The hash of the peer under a secret key.</param>
    public MessageId Next(ulong peer)
    {
        ref var slot = ref Find(peer, out var isKnown);
        if (!isKnown) { slot.Next = Start(peer); }
        Claim(ref slot, peer);
        var id = slot.Next;
        slot.Next = (ushort)((id + 1) % MessageIdSource.UnicastCount);
        return new(id);
    }

    /// <summary>Removes a peer and returns its next ID.</summary>
    public bool TryTake(ulong peer, out MessageId next)
    {
        ref var slot = ref Find(peer, out var isKnown);
        next = new(isKnown ? slot.Next : (ushort)0);
        if (isKnown) { slot = default; }
        return isKnown;
    }

    /// <summary>Continues the sequence of a <see cref="MessageIdSource"/>.</summary>
    public void Put(ulong peer, MessageId next)
    {
        ref var slot = ref Find(peer, out _);
        Claim(ref slot, peer);
        slot.Next = (ushort)(next.Value % MessageIdSource.UnicastCount);
    }

    private ushort Start(ulong peer)
    {
        var mixed = ContentHash.Fold(peer ^ key, ++_started ^ BitOperations.RotateLeft(key, 32));
        return (ushort)(mixed % MessageIdSource.UnicastCount);
    }

    private void Claim(ref Slot slot, ulong peer)
    {
        if (++_clock == 0) { _clock = 1; }
        slot.Used = _clock;
        slot.Peer = peer;
    }

    private ref Slot Find(ulong peer, out bool isKnown)
    {
        var set = _slots.AsSpan(((int)peer & ((_slots.Length / Ways) - 1)) * Ways, Ways);
        var oldest = 0;
        for (var i = 0; i < set.Length; i++)
        {
            if (set[i].Used != 0 && set[i].Peer == peer)
            {
                isKnown = true;
                return ref set[i];
            }
            if (Age(set[i]) > Age(set[oldest])) { oldest = i; }
        }
        isKnown = false;
        return ref set[oldest];
    }

    private uint Age(in Slot slot) => slot.Used == 0 ? uint.MaxValue : _clock - slot.Used;
}
