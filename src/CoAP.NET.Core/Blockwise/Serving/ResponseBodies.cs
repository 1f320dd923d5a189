using System.Diagnostics.CodeAnalysis;
using CoAP.Reliability;

namespace CoAP.Blockwise;

/// <summary>The response bodies that are sent in blocks. They are kept so that all blocks are of the same state (RFC 7959, section 2.4).</summary>
/// <remarks>
/// If room is needed, bodies that the handler can create again are dropped, the least recently used ones first. If an account has used up its share, only
/// its own bodies are dropped.
/// </remarks>
internal sealed class ResponseBodies
{
    private readonly BodyLimits _limits;
    private readonly BodyBudget _budget;
    private readonly Dictionary<BodyKey, ResponseBody> _bodies = [];
    private readonly Dictionary<BodyPeer, List<ResponseBody>> _peers = [];
    private readonly Dictionary<Account, LinkedList<ResponseBody>> _safeOf = [];      // the least recently used first
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
        if (!_peers.TryGetValue(body.Key.Peer, out var ofPeer)) { _peers[body.Key.Peer] = ofPeer = []; }
        ofPeer.Add(body);
        Touch(body, now);
        return true;
    }

    public void Remove(ResponseBody body)
    {
        _bodies.Remove(body.Key);
        QueueOf(body).Remove(body);
        var ofPeer = _peers[body.Key.Peer];
        ofPeer.Remove(body);
        if (ofPeer.Count == 0) { _peers.Remove(body.Key.Peer); }
        if (body.Place is { List: { } safe } place)
        {
            safe.Remove(place);
            if (safe.Count == 0) { _safeOf.Remove(body.Key.Account); }
        }
        _budget.Give(body.Key.Account, SizeOf(body));
    }

    /// <summary>Drops the bodies for a peer that has gone.</summary>
    public void Forget(in BodyPeer peer)
    {
        if (!_peers.TryGetValue(peer, out var ofPeer)) { return; }
        foreach (var body in ofPeer.ToArray()) { Remove(body); }
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
        if (!_safeOf.TryGetValue(body.Key.Account, out var safe)) { _safeOf[body.Key.Account] = safe = new(); }
        if (body.Place is { } place) { safe.Remove(place); }
        body.Place = safe.AddLast(body);
    }

    private bool TryOpen(in BodyPeer peer)
    {
        if (!_peers.TryGetValue(peer, out var ofPeer) || ofPeer.Count < _limits.MaxBodiesPerPeer) { return true; }
        var oldest = ofPeer.Where(static body => body.IsSafe).MinBy(static body => body.Deadline);
        if (oldest is null) { return false; }
        Remove(oldest);
        return true;
    }

    private bool DropOldestSafe(Account? account)
    {
        ResponseBody? oldest;
        if (account is not { } one) { _safe.TryPop(long.MaxValue, out oldest); }
        else { oldest = _safeOf.GetValueOrDefault(one)?.First!.Value; }
        if (oldest is null) { return false; }
        Remove(oldest);
        return true;
    }

    private long SizeOf(ResponseBody body) => body.Bytes.Length + _limits.OverheadOf(body.Key.Operation.Length + body.Options.Wire.Length);

    private DeadlineQueue<ResponseBody> QueueOf(ResponseBody body) => body.IsSafe ? _safe : _others;
}
