using System.Buffers.Binary;
using System.Security.Cryptography;
using Microsoft.Extensions.Logging;

namespace CoAP.Lanes;

/// <summary>The services of a lane for the stages and exchanges on it: clock, inbox, deadlines, metrics and random numbers.</summary>
/// <remarks>Only the lane's own thread may use it, apart from <see cref="Post"/> and <see cref="PostRequest"/>.</remarks>
internal abstract class LaneContext(LaneSettings settings, LaneMetrics metrics) : ILane
{
    /// <summary>The time of the current turn, in ticks of 100 ns since <see cref="Origin"/>. It never goes back.</summary>
    public long Now { get; protected set; }

    /// <summary>The timestamp of the clock at which <see cref="Now"/> was 0.</summary>
    public long Origin { get; protected init; }

    /// <summary>The clock that <see cref="Now"/> is read from.</summary>
    public TimeProvider Time => settings.Time;

    public ILogger Logger => settings.Logger;

    public LaneMetrics Metrics => metrics;

    /// <summary>Random numbers for timeouts and delays. They are not secret.</summary>
    public Random Random { get; set; } = new();

    /// <summary>The secret key of hashes, so that an attacker cannot provoke collisions in hash tables.</summary>
    public ulong HashKey { get; } = BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(sizeof(ulong)));

    /// <summary>The number of received requests without an answer.</summary>
    public abstract int PendingRequests { get; }

    /// <summary>Whether the endpoint is shutting down, so that the lane takes no new requests.</summary>
    public bool IsDraining { get; protected set; }

    /// <summary>Whether the last turn has run, so that nothing more is sent.</summary>
    public abstract bool HasEnded { get; }

    /// <summary>Whether the calling thread is running a turn of this lane.</summary>
    public abstract bool IsOwnedByCaller { get; }

    /// <summary>Throws if the calling thread is running a turn of this lane.</summary>
    /// <exception cref="InvalidOperationException">The calling thread runs the lane, so the lane would wait for itself.</exception>
    public void ThrowIfOwnedByCaller()
    {
        if (IsOwnedByCaller)
        {
            throw new InvalidOperationException(
                "A handler that runs inline or on the thread of its connection must not block its own lane. Call SendAsync, or map the handler with "
                + "HandlerMode.Buffered. On a connection with its own thread only SendAsync helps.");
        }
    }

    /// <summary>
    /// Notifies a caller at the end of the turn, after all messages have been sent. A caller that wakes earlier would compete for the processor.
    /// </summary>
    public abstract void TellLater(PendingResponse caller);

    /// <summary>Adds work to the inbox and wakes the lane. May be called from any thread.</summary>
    public abstract void Post(LaneWork work);

    /// <summary>Adds work like <see cref="Post"/>. If the lane is idle, the calling thread may do the work at once, which saves waking the lane.</summary>
    public virtual void PostRequest(LaneWork work) => Post(work);

    /// <summary>Registers an object that the lane disposes of when it ends. Called while the stages are linked.</summary>
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
