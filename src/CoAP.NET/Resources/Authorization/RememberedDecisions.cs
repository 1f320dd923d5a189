using CoAP.Accounting;
using CoAP.Exchanges;
using CoAP.Lanes;

namespace CoAP.Resources;

/// <summary>The decisions about block-wise transfers that have not expired. Each is charged to its account like the bytes of a body.</summary>
/// <remarks>If the account holds its share, a decision is not stored, and the authorizers are called for the next block as well.</remarks>
internal sealed class RememberedDecisions : IDisposable
{
    // The most bytes of an entry, with the longest key.
    private const int Size = 1024;

    private readonly ExchangeLane _lane;
    private readonly TimeSpan _longestLifetime;
    private readonly Dictionary<DecisionKey, Entry> _entries = [];

    public RememberedDecisions(ExchangeLane lane, TimeSpan longestLifetime)
    {
        (_lane, _longestLifetime) = (lane, longestLifetime);
        lane.Own(this);
    }

    /// <summary>The number of decisions that the ends of connections have looked at.</summary>
    public long Visits { get; private set; }

    public bool TryGet(in DecisionKey key, out long until)
    {
        until = _entries.TryGetValue(key, out var entry) && _lane.Now < entry.Deadline ? entry.Until : 0;
        return until > 0;
    }

    public void Add(in DecisionKey key, in Account account, TimeSpan lifetime)
    {
        if (_entries.GetValueOrDefault(key) is { } older) { Remove(older); }
        if (lifetime <= TimeSpan.Zero || _lane.Ledger.Bodies.TryCharge(account, Size) != Charge.Accepted) { return; }
        var forgetAt = _lane.After(lifetime < _longestLifetime ? lifetime : _longestLifetime);
        var entry = new Entry(this, key, account) { Until = _lane.After(lifetime), Deadline = forgetAt };
        _entries.Add(key, entry);
        if (key.Peer.Connection is LaneChannel connection) { entry.OfConnection = FollowerOf(connection).Entries.AddLast(entry); }
        _lane.Schedule(entry);
    }

    public void Dispose()
    {
        foreach (var entry in _entries.Values.ToArray()) { Remove(entry); }
    }

    private Follower FollowerOf(LaneChannel connection)
    {
        if (connection.FollowerOf<Follower>() is { } known) { return known; }
        var follower = new Follower(this);
        connection.Follow(follower);
        return follower;
    }

    private void Remove(Entry entry)
    {
        _entries.Remove(entry.Key);
        if (entry.OfConnection is { } place) { place.List?.Remove(place); }
        _lane.Unschedule(entry);
        _lane.Ledger.Bodies.Release(entry.Account, Size);
    }

    // Drops the decisions of a connection when it ends.
    private sealed class Follower(RememberedDecisions owner) : IChannelFollower
    {
        /// <summary>The decisions of the connection. Its end must not cost more when other connections have many.</summary>
        public LinkedList<Entry> Entries { get; } = new();

        public void OnEnded()
        {
            while (Entries.First is { } first)
            {
                owner.Visits++;
                owner.Remove(first.Value);
            }
        }
    }

    private sealed class Entry(RememberedDecisions owner, DecisionKey key, Account account) : ILaneDeadline
    {
        public DecisionKey Key { get; } = key;

        public Account Account { get; } = account;

        /// <summary>The time when the decision expires.</summary>
        public required long Until { get; init; }

        /// <summary>The time when the entry is dropped.</summary>
        public required long Deadline { get; init; }

        /// <summary>The place among the decisions of the connection; <see langword="null"/> if the peer has none.</summary>
        public LinkedListNode<Entry>? OfConnection { get; set; }

        public int QueueIndex { get; set; }

        public void OnDeadline() => owner.Remove(this);
    }
}
