using CoAP.Options;
using CoAP.Reliability;

namespace CoAP.Blockwise;

// The rules (RFC 7959, section 2.5):
// - Block 0 starts a transfer, and ends one that was in progress under the same key.
// - Each further block follows the one before it. The last block may be repeated in another message. Any other block is 4.08 and ends the transfer.
// - A body that is too large is 4.13 with the accepted size in Size1; with the first block if the client has sent the size.
// - A body that cannot be stored now is 5.03 with the time to wait (RFC 9175, section 3.3).

/// <summary>The request bodies that arrive in blocks and are processed as a whole (RFC 7959, section 2.5).</summary>
internal sealed class RequestBodies(BodyLimits limits, BodyBudget budget)
{
    private const string NoMemory = "There is no memory for more bodies";

    private readonly Dictionary<BodyKey, RequestBody> _bodies = [];
    private readonly PeerIndex<RequestBody> _ofPeers = new();
    private readonly DeadlineQueue<RequestBody> _deadlines = new();

    public int Count => _bodies.Count;

    /// <summary>The time at which the next body expires.</summary>
    public long NextDeadline => _deadlines.NextDeadline;

    /// <summary>Processes a block.</summary>
    /// <param name="key">The key of its body.</param>
    /// <param name="block">Its Block1.</param>
    /// <param name="payload">Its bytes, which are kept until the next block arrives.</param>
    /// <param name="announced">Size1, if the client has sent it.</param>
    /// <param name="isReliable">Whether it arrived over a reliable transport.</param>
    /// <param name="now">The time.</param>
    public ReceiveOutcome Receive(in BodyKey key, Block1 block, ReadOnlyMemory<byte> payload, uint? announced, bool isReliable, long now)
    {
        var isFirst = block.BlockNumber == 0;
        _bodies.TryGetValue(key, out var body);
        if (isFirst && body is not null) { Remove(body); }
        if (BlockSequence.FindFault(block, payload.Length, isReliable) is { } fault) { return End(body, fault); }
        // A single block is not collected.
        var largest = isFirst && !block.HasMore ? limits.MaxBodySize : budget.LargestBody(key);
        if (announced > largest) { return End(body, TooLarge(announced.Value, largest)); }
        if (isFirst) { return payload.Length > largest ? TooLarge(payload.Length, largest) : Begin(key, block, payload, isReliable, now); }
        if (body is null) { return BlockSequence.Incomplete(block, 0); }
        return body.Sequence.Find(block, payload) switch
        {
            BlockPlace.Next => Append(body, block, payload, isReliable, now),
            BlockPlace.Repeated when block.HasMore => Continue(body, block, isReliable, now),
            _ => End(body, BlockSequence.Incomplete(block, body.Sequence.Received)),
        };
    }

    /// <summary>Drops a body if it is incomplete.</summary>
    public void Drop(in BodyKey key)
    {
        if (_bodies.TryGetValue(key, out var body)) { Remove(body); }
    }

    /// <summary>Drops the bodies of a peer that has gone.</summary>
    public void Forget(BodyPeer peer)
    {
        foreach (var body in _ofPeers.Of(peer).ToArray()) { Remove(body); }
    }

    /// <summary>Drops expired bodies.</summary>
    public void Expire(long now)
    {
        while (_deadlines.TryPop(now, out var body)) { Remove(body); }
    }

    /// <summary>Returns the Block1 of a response: the same block, in the size that is wanted from now on (RFC 7959, section 2.3).</summary>
    public Block1 Acknowledge(Block1 block, bool hasMore, bool isReliable)
    {
        var size = isReliable ? BlockSize.Of(block) : BlockSize.Min(BlockSize.Of(block), limits.Preferred);
        return new Block1(block.BlockNumber, hasMore, size.Exponent);
    }

    private ReceiveOutcome Begin(in BodyKey key, Block1 block, ReadOnlyMemory<byte> payload, bool isReliable, long now)
    {
        if (!block.HasMore) { return new ReceiveOutcome.Complete(payload, Acknowledge(block, false, isReliable), key.IsForNew); }
        if (!budget.TryOpen(key.Peer)) { return NoRoom($"{limits.MaxBodiesPerPeer} bodies are already in progress", now); }
        var body = new RequestBody(key, budget, limits);
        if (!body.TryOpen())
        {
            budget.Close(key.Peer);
            return NoRoom(NoMemory, now);
        }
        _bodies.Add(key, body);
        _ofPeers.Add(key.Peer, body);
        return Append(body, block, payload, isReliable, now);
    }

    private ReceiveOutcome Append(RequestBody body, Block1 block, ReadOnlyMemory<byte> payload, bool isReliable, long now)
    {
        var size = body.Sequence.Received + payload.Length;
        if (size > body.MaxSize) { return End(body, TooLarge(size, body.MaxSize)); }
        if (!body.TryAppend(payload)) { return End(body, NoRoom(NoMemory, now)); }
        if (block.HasMore) { return Continue(body, block, isReliable, now); }
        TryDetach(body);
        return new ReceiveOutcome.Complete(body.Bytes, Acknowledge(block, false, isReliable), body.Key.IsForNew) { Charge = body.HandOver() };
    }

    private ReceiveOutcome.Continue Continue(RequestBody body, Block1 block, bool isReliable, long now)
    {
        body.Deadline = now + limits.Lifetime;
        _deadlines.Update(body);
        return new ReceiveOutcome.Continue(Acknowledge(block, true, isReliable));
    }

    private ReceiveOutcome.Rejected End(RequestBody? body, ReceiveOutcome.Rejected outcome)
    {
        if (body is not null) { Remove(body); }
        return outcome;
    }

    private void Remove(RequestBody body)
    {
        if (TryDetach(body)) { body.Release(); }
    }

    private bool TryDetach(RequestBody body)
    {
        if (!_bodies.TryGetValue(body.Key, out var known) || known != body) { return false; }
        _bodies.Remove(body.Key);
        _ofPeers.Remove(body.Key.Peer, body);
        _deadlines.Remove(body);
        return true;
    }

    private static ReceiveOutcome.Rejected TooLarge(long size, int largest) => new(
        ResponseCode.RequestEntityTooLarge, $"The body has {size} bytes or more; at most {largest} are accepted.", new Size1((uint)largest));

    private ReceiveOutcome.Rejected NoRoom(string reason, long now)
    {
        var until = NextDeadline == long.MaxValue ? limits.Lifetime : NextDeadline - now;
        var seconds = Math.Max(1, (until + TimeSpan.TicksPerSecond - 1) / TimeSpan.TicksPerSecond);
        return new(ResponseCode.ServiceUnavailable, $"{reason}; try again later.", new MaxAge((uint)seconds));
    }
}
