using System.Numerics;

namespace CoAP.Reliability;

/// <summary>The kind of a received message, and the action that follows.</summary>
internal enum DuplicateCheck
{
    /// <summary>Handle it.</summary>
    New,

    /// <summary>Handle and count it: the peer has reused a message ID too early (RFC 7252, section 4.4).</summary>
    NewWithReusedId,

    /// <summary>A confirmable message that is being handled, without an answer so far: stay silent.</summary>
    InProgress,

    /// <summary>A confirmable message that was acknowledged with an empty ACK: send the ACK again.</summary>
    Acknowledged,

    /// <summary>A confirmable message that was answered: send the same bytes again.</summary>
    Answered,

    /// <summary>A confirmable POST or PATCH whose answer could not be retained: stay silent, so that it is not processed twice.</summary>
    AnswerLost,

    /// <summary>A duplicate without an answer.</summary>
    Ignore,

    /// <summary>A new message without room, because every entry it could replace is in progress: drop and count it.</summary>
    Full,
}

/// <summary>The progress of a received message.</summary>
internal enum EntryState : byte
{
    Free,
    Received,
    Acknowledged,
    Answered,
    AnswerLost,
    Handled,
}

/// <summary>The harm of handling a message twice. Lower classes are dropped first.</summary>
internal enum RetentionClass : byte
{
    /// <summary>In progress: never dropped.</summary>
    InProgress,

    /// <summary>GET, FETCH and responses.</summary>
    Safe,

    /// <summary>PUT, DELETE and iPATCH.</summary>
    Idempotent,

    /// <summary>POST, PATCH and unknown methods.</summary>
    Unsafe,
}

/// <summary>Classifies messages.</summary>
internal static class RetentionClasses
{
    /// <summary>Returns the class of a message. Responses are matched by token and are therefore Safe.</summary>
    public static RetentionClass Of(CoapCode code) => code switch
    {
        { IsRequest: false } => RetentionClass.Safe,
        { IsSafe: true } => RetentionClass.Safe,
        { IsIdempotent: true } => RetentionClass.Idempotent,
        _ => RetentionClass.Unsafe,
    };
}

/// <summary>Refers to a received message. Calls with the ticket of a removed message do nothing.</summary>
internal readonly record struct Ticket(int Index, uint Generation);

/// <summary>A received message: a structure of 64 bytes.</summary>
internal struct ReceivedEntry
{
    public ulong Channel;
    public ulong Content;
    public long Expiry;
    public int Chain;           // the next entry of the same bucket or the next free one, + 1
    public int Peer;            // the account that sent it
    public Link InOrder;
    public Link InPeer;
    public int Answer;
    public int AnswerLength;
    public uint Generation;
    public ushort MessageId;
    public EntryState State;
    public byte List;
}

/// <summary>The neighbours in a list: index + 1, or 0 for none.</summary>
internal struct Link
{
    public int Previous;
    public int Next;
}

/// <summary>Selects the link of an entry that a list uses.</summary>
internal interface ILinkChoice
{
    static abstract ref Link Of(ref ReceivedEntry entry);
}

/// <summary>Selects the links of the lists of all entries.</summary>
internal readonly struct InOrder : ILinkChoice
{
    public static ref Link Of(ref ReceivedEntry entry) => ref entry.InOrder;
}

/// <summary>Selects the links of the lists of one peer.</summary>
internal readonly struct InPeer : ILinkChoice
{
    public static ref Link Of(ref ReceivedEntry entry) => ref entry.InPeer;
}

/// <summary>A first-in, first-out list through the entries themselves. <see langword="default"/> is the empty list.</summary>
internal struct EntryList<TLink> where TLink : struct, ILinkChoice
{
    private int _first;
    private int _last;

    /// <summary>The oldest entry, or -1.</summary>
    public readonly int Oldest => _first - 1;

    public void Append(ReceivedEntry[] entries, int index)
    {
        TLink.Of(ref entries[index]) = new() { Previous = _last };
        if (_last == 0) { _first = index + 1; }
        else { TLink.Of(ref entries[_last - 1]).Next = index + 1; }
        _last = index + 1;
    }

    public void Remove(ReceivedEntry[] entries, int index)
    {
        var link = TLink.Of(ref entries[index]);
        if (link.Previous == 0) { _first = link.Next; }
        else { TLink.Of(ref entries[link.Previous - 1]).Next = link.Next; }
        if (link.Next == 0) { _last = link.Previous; }
        else { TLink.Of(ref entries[link.Next - 1]).Previous = link.Previous; }
    }
}

/// <summary>The entries of a lane in one array, found by channel and message ID.</summary>
/// <remarks>
/// Consecutive message IDs of a channel are in neighbouring buckets, which are then in the processor cache. A bucket contains the index of
/// its first entry and a mark for each channel with an entry there, so that most new messages are recognized without reading an entry,
/// which is rarely in the cache. The array is created with the first entry, because most clients never receive a message that needs one.
/// </remarks>
internal sealed class ReceivedEntries(int capacity)
{
    private const int IndexBits = 25;
    private const uint IndexMask = (1u << IndexBits) - 1;
    private const int Marks = 32 - IndexBits;

    private uint[] _buckets = new uint[1];
    private int _free;

    public ReceivedEntry[] All { get; private set; } = [];

    public int Count { get; private set; }

    /// <summary>The number of entries that were ever used.</summary>
    public int Touched { get; private set; }

    public bool IsFull => Count == capacity;

    /// <summary>Returns the index of an entry, or -1.</summary>
    public int Find(ulong channel, ushort messageId)
    {
        var bucket = Bucket(channel, messageId);
        if ((bucket & MarkOf(channel)) == 0) { return -1; }
        var index = First(bucket) - 1;
        while (index >= 0 && (All[index].MessageId != messageId || All[index].Channel != channel)) { index = All[index].Chain - 1; }
        return index;
    }

    /// <summary>Adds an entry; there must be room.</summary>
    public int Add(ulong channel, int peer, ushort messageId)
    {
        if (All.Length == 0) { (_buckets, All) = (new uint[2 * BitOperations.RoundUpToPowerOf2((uint)capacity)], new ReceivedEntry[capacity]); }
        var index = _free - 1;
        if (index < 0) { index = Touched++; }
        else { _free = All[index].Chain; }
        ref var bucket = ref Bucket(channel, messageId);
        ref var entry = ref All[index];
        entry.Channel = channel;
        entry.Peer = peer;
        entry.MessageId = messageId;
        entry.Chain = First(bucket);
        entry.Generation = Math.Max(1, entry.Generation);       // so that no ticket is the default value
        bucket = (bucket & ~IndexMask) | MarkOf(channel) | (uint)(index + 1);
        Count++;
        return index;
    }

    // Marks of other channels stay until the bucket is empty, because finding out whose they are would take too long.
    public void Remove(int index)
    {
        ref var removed = ref All[index];
        ref var bucket = ref Bucket(removed.Channel, removed.MessageId);
        if (First(bucket) == index + 1) { bucket = removed.Chain == 0 ? 0 : (bucket & ~IndexMask) | (uint)removed.Chain; }
        else { Unchain(First(bucket), index + 1, removed.Chain); }
        removed.State = EntryState.Free;
        removed.Generation++;
        removed.Chain = _free;
        _free = index + 1;
        Count--;
    }

    private static int First(uint bucket) => (int)(bucket & IndexMask);

    private static uint MarkOf(ulong channel) => 1u << (IndexBits + (int)(((channel >> 48) * Marks) >> 16));

    private void Unchain(int from, int link, int next)
    {
        ref var chain = ref All[from - 1].Chain;
        while (chain != link) { chain = ref All[chain - 1].Chain; }
        chain = next;
    }

    private ref uint Bucket(ulong channel, ushort messageId) => ref _buckets[((uint)channel + messageId) & (uint)(_buckets.Length - 1)];
}
