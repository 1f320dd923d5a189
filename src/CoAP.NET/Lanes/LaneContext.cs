using System.Buffers.Binary;
using System.Security.Cryptography;
using Microsoft.Extensions.Logging;

namespace CoAP.Lanes;

/// <summary>What a lane offers to everything that lives on it: clock, inbox, deadlines, metrics and chance.</summary>
/// <remarks>Only the lane's own thread may use it, apart from <see cref="Post"/> and <see cref="PostRequest"/>.</remarks>
internal abstract class LaneContext(LaneSettings settings, LaneMetrics metrics) : ILane
{
    /// <summary>The time of this turn: monotonic, in ticks of 100 ns.</summary>
    public long Now { get; protected set; }

    /// <summary>The timestamp that <see cref="Now"/> counts from.</summary>
    public long Origin { get; protected init; }

    /// <summary>The clock that <see cref="Now"/> is read from.</summary>
    public TimeProvider Time => settings.Time;

    public ILogger Logger => settings.Logger;

    public LaneMetrics Metrics => metrics;

    /// <summary>Chance that need not be secret: time-outs and delays.</summary>
    public Random Random { get; set; } = new();

    /// <summary>A secret, so that nobody can aim at a place in a hash table.</summary>
    public ulong HashKey { get; } = BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(sizeof(ulong)));

    /// <summary>The number of received requests without an answer.</summary>
    public int PendingRequests { get; set; }

    /// <summary>Whether the endpoint is shutting down: the lane takes no new requests.</summary>
    public bool IsDraining { get; protected set; }

    /// <summary>Whether the lane has taken its last turn and sends nothing any more.</summary>
    public abstract bool HasEnded { get; }

    /// <summary>Whether the calling thread is running the lane's turn.</summary>
    public abstract bool IsOwnedByCaller { get; }

    /// <exception cref="InvalidOperationException">The calling thread runs the lane, which would wait for itself.</exception>
    public void ThrowIfOwnedByCaller()
    {
        if (IsOwnedByCaller)
        {
            throw new InvalidOperationException(
                "A handler that runs inline or on the thread of its connection must not block its own lane. Call SendAsync, or map the handler with HandlerMode.Buffered. On a connection with its own thread only SendAsync helps.");
        }
    }

    /// <summary>Completes a caller at the end of the turn, when everything has been sent: a caller that wakes earlier would only get in the way.</summary>
    public abstract void TellLater(PendingResponse caller);

    /// <summary>Adds work to the inbox and wakes the lane. May be called from any thread.</summary>
    public abstract void Post(LaneWork work);

    /// <summary>Like <see cref="Post"/>, but an idle lane lets the calling thread do the work at once, which saves waking the lane.</summary>
    public virtual void PostRequest(LaneWork work) => Post(work);

    /// <summary>Registers a part that is disposed of when the lane ends. Call it while the lane is wired.</summary>
    public abstract void Own(IDisposable part);

    /// <summary>Wakes the item at its deadline. An item that is already queued is moved.</summary>
    public abstract void Schedule(ILaneDeadline item);

    /// <summary>Removes the item from the queue, if it is queued.</summary>
    public abstract void Unschedule(ILaneDeadline item);

    TimeSpan ILane.Now => TimeSpan.FromTicks(Now);

    void ILane.Post(Action action)
    {
        ArgumentNullException.ThrowIfNull(action);
        Post(new LaneAction(action));
    }

    LaneTimer ILane.CreateTimer(Action action)
    {
        ArgumentNullException.ThrowIfNull(action);
        return new LaneTimer(this, action);
    }

    /// <summary>Hashes a peer and the local port with the secret of the lane.</summary>
    public ulong HashOf(in ChannelKey key) => key.Peer.Hash(HashKey ^ (uint)key.Local.Port);
}
