using System.Diagnostics.CodeAnalysis;
using CoAP.Reliability;

namespace CoAP.Blockwise;

/// <summary>The response bodies that are sent in blocks. They are kept so that all blocks are of the same state (RFC 7959, section 2.4).</summary>
/// <remarks>
/// To make room, the least recently used bodies that the handler can create again are dropped. An account that has used up its share loses its own bodies.
/// Otherwise, the account that holds most loses them.
/// </remarks>
internal sealed class ResponseBodies
{
    private readonly BodyLimits _limits;
    private readonly BodyBudget _budget;
    private readonly Dictionary<BodyKey, ResponseBody> _bodies = [];
    private readonly PeerIndex<ResponseBody> _ofPeers = new();
    private readonly Dictionary<Account, SafeBodies> _safeOf = [];
    private readonly DeadlineQueue<SafeBodies> _holders = new();        // the account with the most bytes first
    private readonly DeadlineQueue<ResponseBody> _safe = new();
    private readonly DeadlineQueue<ResponseBody> _others = new();

    public ResponseBodies(BodyLimits limits, BodyBudget budget)
    {
        (_limits, _budget) = (limits, budget);
        budget.MakeRoom = DropOldestSafe;
    }

    public int Count => _bodies.Count;

    /// <summary>The time at which the next body expires.</summary>
    public long NextDeadline => Math.Min(_safe.NextDeadline, _others.NextDeadline);

    /// <summary>Finds a body and extends its lifetime.</summary>
    /// <param name="key">The key of the request.</param>
    /// <param name="requestHash">The hash of the request payload, if the request repeats it.</param>
    /// <param name="now">The time.</param>
    /// <param name="body">The body.</param>
    public bool TryFind(in BodyKey key, ulong? requestHash, long now, [NotNullWhen(true)] out ResponseBody? body)
    {
        if (!_bodies.TryGetValue(key, out body) || (requestHash is { } hash && hash != body.RequestHash)) { return false; }
        Touch(body, now);
        return true;
    }

    /// <summary>Stores a body and replaces an older one. Returns <see langword="false"/> if there is no room.</summary>
    public bool TryAdd(ResponseBody body, long now)
    {
        if (_bodies.TryGetValue(body.Key, out var older)) { Remove(older); }
        if (!TryOpen(body.Key.Peer) || !_budget.TryTake(body.Key.Account, SizeOf(body))) { return false; }
        _bodies.Add(body.Key, body);
        _ofPeers.Add(body.Key.Peer, body);
        Touch(body, now);
        return true;
    }

    public void Remove(ResponseBody body)
    {
        _bodies.Remove(body.Key);
        QueueOf(body).Remove(body);
        _ofPeers.Remove(body.Key.Peer, body);
        if (body.Place is { } place) { Change(_safeOf[body.Key.Account], place, -SizeOf(body)); }
        _budget.Give(body.Key.Account, SizeOf(body));
    }

    /// <summary>Drops the bodies for a peer that has gone.</summary>
    public void Forget(in BodyPeer peer)
    {
        foreach (var body in _ofPeers.Of(peer).ToArray()) { Remove(body); }
    }

    /// <summary>Drops expired bodies.</summary>
    public void Expire(long now)
    {
        while (_safe.TryPop(now, out var body) || _others.TryPop(now, out body)) { Remove(body); }
    }

    private void Touch(ResponseBody body, long now)
    {
        body.Deadline = now + _limits.Lifetime;
        QueueOf(body).Update(body);
        if (!body.IsSafe) { return; }
        if (!_safeOf.TryGetValue(body.Key.Account, out var safe)) { _safeOf[body.Key.Account] = safe = new SafeBodies(body.Key.Account); }
        if (body.Place is { } known)
        {
            safe.List.Remove(known);
            safe.List.AddLast(known);
            return;
        }
        Change(safe, body.Place = new(body), SizeOf(body));
    }

    private bool TryOpen(in BodyPeer peer)
    {
        var ofPeer = _ofPeers.Of(peer);
        if (ofPeer.Count < _limits.MaxBodiesPerPeer) { return true; }
        var oldest = ofPeer.Where(static body => body.IsSafe).MinBy(static body => body.Deadline);
        if (oldest is null) { return false; }
        Remove(oldest);
        return true;
    }

    private bool DropOldestSafe(Account? account)
    {
        if (account is { } one ? !_safeOf.TryGetValue(one, out var safe) : !_holders.TryPop(long.MaxValue, out safe)) { return false; }
        Remove(safe!.List.First!.Value);
        return true;
    }

    // Adds a body to those of its account, or removes it.
    private void Change(SafeBodies safe, LinkedListNode<ResponseBody> place, long bytes)
    {
        safe.Bytes += bytes;
        if (bytes > 0) { safe.List.AddLast(place); }
        else { safe.List.Remove(place); }
        if (safe.List.Count > 0)
        {
            _holders.Update(safe);
            return;
        }
        _holders.Remove(safe);
        _safeOf.Remove(safe.Account);
    }

    private long SizeOf(ResponseBody body) => body.Bytes.Length + _limits.OverheadOf(body.Key.Operation.Length + body.Options.Wire.Length);

    private DeadlineQueue<ResponseBody> QueueOf(ResponseBody body) => body.IsSafe ? _safe : _others;

    // The bodies of one account that the handler can create again, the least recently used first.
    private sealed class SafeBodies(Account account) : IDeadline
    {
        public Account Account { get; } = account;

        public LinkedList<ResponseBody> List { get; } = new();

        public long Bytes { get; set; }

        public long Deadline => -Bytes;

        public int QueueIndex { get; set; }
    }
}
