using System.Diagnostics.CodeAnalysis;
using CoAP.Reliability;

namespace CoAP.Blockwise;

/// <summary>The bodies of responses that are sent in blocks, kept so that all blocks are of the same state (RFC 7959, section 2.4).</summary>
/// <remarks>Where room is needed, bodies go first that the handler can be asked for again, those that were not used for longest before others.</remarks>
internal sealed class ResponseBodies
{
    private readonly BodyLimits _limits;
    private readonly BodyBudget _budget;
    private readonly Dictionary<BodyKey, ResponseBody> _bodies = [];
    private readonly Dictionary<BodyPeer, List<ResponseBody>> _peers = [];
    private readonly DeadlineQueue<ResponseBody> _safe = new();
    private readonly DeadlineQueue<ResponseBody> _others = new();

    public ResponseBodies(BodyLimits limits, BodyBudget budget)
    {
        (_limits, _budget) = (limits, budget);
        budget.MakeRoom = DropOldestSafe;
    }

    public int Count => _bodies.Count;

    /// <summary>When the next body is given up.</summary>
    public long NextDeadline => Math.Min(_safe.NextDeadline, _others.NextDeadline);

    /// <summary>Finds the body and keeps it for another lifetime.</summary>
    /// <param name="key">Which request it answers.</param>
    /// <param name="requestHash">The hash of the request's payload, where the request repeats it.</param>
    /// <param name="now">The time.</param>
    /// <param name="body">The body.</param>
    public bool TryFind(in BodyKey key, ulong? requestHash, long now, [NotNullWhen(true)] out ResponseBody? body)
    {
        if (!_bodies.TryGetValue(key, out body) || (requestHash is { } hash && hash != body.RequestHash)) { return false; }
        Touch(body, now);
        return true;
    }

    /// <summary>Keeps a body in the place of an older one; <see langword="false"/> where there is no room for it.</summary>
    public bool TryAdd(ResponseBody body, long now)
    {
        if (_bodies.TryGetValue(body.Key, out var older)) { Remove(older); }
        if (!TryOpen(body.Key.Peer) || !_budget.TryTake(SizeOf(body))) { return false; }
        if (body.IsSafe) { _budget.Droppable += SizeOf(body); }
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
        _budget.Give(SizeOf(body));
        if (body.IsSafe) { _budget.Droppable -= SizeOf(body); }
    }

    /// <summary>Gives up what is kept for a peer that is gone.</summary>
    public void Forget(in BodyPeer peer)
    {
        if (!_peers.TryGetValue(peer, out var ofPeer)) { return; }
        foreach (var body in ofPeer.ToArray()) { Remove(body); }
    }

    /// <summary>Gives up what nobody has asked for too long.</summary>
    public void Expire(long now)
    {
        while (_safe.TryPop(now, out var body) || _others.TryPop(now, out body)) { Remove(body); }
    }

    private void Touch(ResponseBody body, long now)
    {
        body.Deadline = now + _limits.Lifetime;
        QueueOf(body).Update(body);
    }

    private bool TryOpen(in BodyPeer peer)
    {
        if (!_peers.TryGetValue(peer, out var ofPeer) || ofPeer.Count < _limits.MaxBodiesPerPeer) { return true; }
        var oldest = ofPeer.Where(static body => body.IsSafe).MinBy(static body => body.Deadline);
        if (oldest is null) { return false; }
        Remove(oldest);
        return true;
    }

    private bool DropOldestSafe()
    {
        if (!_safe.TryPop(long.MaxValue, out var oldest)) { return false; }
        Remove(oldest);
        return true;
    }

    private long SizeOf(ResponseBody body) => body.Bytes.Length + _limits.CostBeside(body.Key.Length + body.Options.Wire.Length);

    private DeadlineQueue<ResponseBody> QueueOf(ResponseBody body) => body.IsSafe ? _safe : _others;
}
