using System.Diagnostics.CodeAnalysis;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace CoAP.Transports;

/// <summary>Polls all connections of one lane on Linux with one call, and returns those that can continue.</summary>
/// <remarks>The thread of the lane owns the poller. Other threads may only call <see cref="Wake"/> and <see cref="Remove"/>.</remarks>
internal sealed class ConnectionPoller : IDisposable
{
    private const int MaxEvents = 256;
    private const ulong WakeUp = ulong.MaxValue;

    private readonly Epoll _epoll = new(MaxEvents);
    private readonly EventFile _event = EventFile.Create();
    private readonly WakeSignal _signal;
    private readonly Queue<PolledConnection> _queue = new();
    private readonly Dictionary<ulong, PolledConnection> _members = [];
    private readonly Lock _gate = new();
    private ulong _lastKey;
    private int _nextEvent;
    private int _leftInQueue;

    /// <exception cref="SocketException">The process has no descriptor left.</exception>
    public ConnectionPoller()
    {
        _signal = new WakeSignal(_event.Set);
        // The poller watches for changes and never resets the event: each set is a change, and the counter does not overflow in practice.
        var error = _epoll.Watch(_event.Handle, EpollCalls.Readable | EpollCalls.OnChange, WakeUp);
        if (error is not SocketError.Success) { throw new SocketException((int)error); }
    }

    /// <summary>Whether a queued connection must be visited again.</summary>
    public bool HasPending => _queue.Count > 0;

    /// <summary>Adds a connection. It receives the changes of its socket from now on.</summary>
    public SocketError Add(PolledConnection connection, SafeHandle socket)
    {
        lock (_gate)
        {
            connection.Key = ++_lastKey;
            _members.Add(_lastKey, connection);
        }
        const uint All = EpollCalls.Readable | EpollCalls.Urgent | EpollCalls.Writable | EpollCalls.PeerEnded | EpollCalls.OnChange;
        return _epoll.Watch(socket, All, connection.Key);
    }

    /// <summary>Removes a connection before its socket is closed. Any thread may call it.</summary>
    public void Remove(PolledConnection connection)
    {
        lock (_gate) { _members.Remove(connection.Key); }
    }

    /// <summary>Queues a connection that has more work than it has done, for a visit in the next turn.</summary>
    public void Enqueue(PolledConnection connection) => _queue.Enqueue(connection);

    /// <summary>Blocks until a connection can continue, the poller is woken, or the timeout passes.</summary>
    public void Wait(TimeSpan timeout)
    {
        if (_queue.Count > 0 || _nextEvent < _epoll.Count || !_signal.TrySleep()) { return; }
        FindEvents(timeout);
        _signal.Awake();
    }

    /// <summary>Looks for connections that can continue, unless a wait has just found some.</summary>
    /// <returns>Whether there may be more connections than it found.</returns>
    public bool Poll()
    {
        if (_nextEvent == _epoll.Count) { FindEvents(TimeSpan.Zero); }
        _leftInQueue = _queue.Count;
        return _epoll.MayHaveMore || _queue.Count > 0;
    }

    /// <summary>Returns the next connection that can continue.</summary>
    /// <remarks>A connection that is queued meanwhile waits for the next turn, because this turn must first send its output.</remarks>
    public bool TryNext([NotNullWhen(true)] out PolledConnection? connection)
    {
        while (_nextEvent < _epoll.Count)
        {
            var index = _nextEvent++;
            var key = _epoll.KeyAt(index);
            if (key == WakeUp) { continue; }
            lock (_gate) { _members.TryGetValue(key, out connection); }
            if (connection is null) { continue; }   // closed meanwhile
            connection.Update(_epoll.EventsAt(index));
            return true;
        }
        connection = null;
        if (_leftInQueue-- <= 0 || !_queue.TryDequeue(out connection)) { return false; }
        connection.OnDequeued();
        return true;
    }

    public void Wake() => _signal.Set();

    public void Dispose()
    {
        _epoll.Dispose();
        _event.Dispose();
    }

    private void FindEvents(TimeSpan timeout)
    {
        _nextEvent = 0;
        _epoll.Wait(timeout);
    }
}
