using System.Numerics;

namespace CoAP.Reliability;

/// <summary>The next message IDs towards peers that have no object of their own: a lane's answers to non-confirmable requests.</summary>
/// <remarks>
/// A fixed table of 16 bytes per peer; of the four places that a peer may take, the one unused for longest goes to a new peer, which then
/// starts at a number that cannot be guessed without the key (RFC 7252, section 4.4). Quarantine is not kept here: what needs it has a
/// <see cref="MessageIdSource"/>, which takes the row over with <see cref="TryTake"/> and gives it back with <see cref="Put"/>.
/// </remarks>
internal sealed class MessageIdTable
{
    private const int Ways = 4;

    private readonly Slot[] _slots;
    private readonly uint _lastSet;
    private readonly ulong _key;
    private uint _clock;
    private ulong _started;

    /// <param name="capacity">How many peers at most, rounded up to a power of two.</param>
    /// <param name="key">Secret and random.</param>
    public MessageIdTable(int capacity, ulong key)
    {
        var sets = BitOperations.RoundUpToPowerOf2((uint)Math.Max(1, (capacity + Ways - 1) / Ways));
        _slots = new Slot[sets * Ways];
        _lastSet = sets - 1;
        _key = key;
    }

    private struct Slot
    {
        public ulong Peer;
        public uint Used;       // 0: never
        public ushort Next;
    }

    /// <summary>The next ID towards a peer.</summary>
    /// <param name="peer">The peer's hash by a secret key.</param>
    public MessageId Next(ulong peer)
    {
        ref var slot = ref Find(peer, out var isKnown);
        if (!isKnown) { slot.Next = Start(peer); }
        Claim(ref slot, peer);
        var id = slot.Next;
        slot.Next = (ushort)((id + 1) % MessageIdSource.UnicastCount);
        return new(id);
    }

    /// <summary>Ends a peer's row here and answers where it stood.</summary>
    public bool TryTake(ulong peer, out MessageId next)
    {
        ref var slot = ref Find(peer, out var isKnown);
        next = new(isKnown ? slot.Next : (ushort)0);
        if (isKnown) { slot = default; }
        return isKnown;
    }

    /// <summary>Takes a peer's row over from a <see cref="MessageIdSource"/>.</summary>
    public void Put(ulong peer, MessageId next)
    {
        ref var slot = ref Find(peer, out _);
        Claim(ref slot, peer);
        slot.Next = (ushort)(next.Value % MessageIdSource.UnicastCount);
    }

    private ushort Start(ulong peer)
    {
        var mixed = ContentHash.Fold(peer ^ _key, ++_started ^ BitOperations.RotateLeft(_key, 32));
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
        var set = _slots.AsSpan((int)((uint)peer & _lastSet) * Ways, Ways);
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
