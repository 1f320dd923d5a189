using System.Diagnostics.CodeAnalysis;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace CoAP.Transports;

/// <summary>The connections of one lane on Linux: one call waits for all of them, and tells at once which of them can go on.</summary>
/// <remarks>Owned by the lane's thread; others may only <see cref="Wake"/> it and <see cref="Remove"/> from it.</remarks>
internal sealed class PolledConnections : IDisposable
{
    private const int EventsAtOnce = 256;
    private const ulong WakeUp = ulong.MaxValue;

    private readonly Epoll _set = new(EventsAtOnce);
    private readonly EventFile _event = EventFile.Create();
    private readonly WakeSignal _signal;
    private readonly Queue<PolledConnection> _again = new();
    private readonly Dictionary<ulong, PolledConnection> _members = [];
    private readonly Lock _gate = new();
    private ulong _lastKey;
    private int _at;
    private int _againNow;

    /// <exception cref="SocketException">The system has no descriptor left.</exception>
    public PolledConnections()
    {
        _signal = new WakeSignal(_event.Set);
        // Watched for changes and never taken: each time it is set is one, and its count does not overflow in the life of a machine.
        var error = Watch(_event.Handle, EpollCalls.Readable | EpollCalls.OnChange, WakeUp);
        if (error is not SocketError.Success) { throw new SocketException((int)error); }
    }

    /// <summary>Whether a connection has more to do than it did.</summary>
    public bool MustLookAgain => _again.Count > 0;

    /// <summary>Calls into the system.</summary>
    public long SystemCalls { get; private set; }

    /// <summary>Takes a connection in; it is told of its socket's changes from now on.</summary>
    public SocketError Add(PolledConnection connection, SafeHandle socket)
    {
        lock (_gate)
        {
            connection.Key = ++_lastKey;
            _members.Add(_lastKey, connection);
        }
        const uint All = EpollCalls.Readable | EpollCalls.Urgent | EpollCalls.Writable | EpollCalls.PeerEnded | EpollCalls.OnChange;
        return Watch(socket, All, connection.Key);
    }

    /// <summary>Forgets a connection, whose socket is closed next. Any thread.</summary>
    public void Remove(PolledConnection connection)
    {
        lock (_gate) { _members.Remove(connection.Key); }
    }

    /// <summary>Has the connection looked at once more in the next turn: there is more to do than it did.</summary>
    public void LookAgain(PolledConnection connection) => _again.Enqueue(connection);

    /// <summary>Blocks until a connection can go on, the set is woken or the time is over.</summary>
    public void Wait(TimeSpan timeout)
    {
        if (_again.Count > 0 || _at < _set.Count || !_signal.TrySleep()) { return; }
        Poll(timeout);
        _signal.Awake();
    }

    /// <summary>Looks for connections that can go on, unless a wait has just found some. Answers whether there may be more than it found.</summary>
    public bool Look()
    {
        if (_at == _set.Count) { Poll(TimeSpan.Zero); }
        _againNow = _again.Count;
        return _set.MayHaveMore || _again.Count > 0;
    }

    /// <summary>The next connection that can go on. What it leaves for another look waits for the next turn: this one has yet to send its output.</summary>
    public bool TryNext([NotNullWhen(true)] out PolledConnection? connection)
    {
        while (_at < _set.Count)
        {
            var found = _at++;
            var key = _set.KeyAt(found);
            if (key == WakeUp) { continue; }
            lock (_gate) { _members.TryGetValue(key, out connection); }
            if (connection is null) { continue; }   // closed since
            connection.Note(_set.EventsAt(found));
            return true;
        }
        connection = null;
        if (_againNow-- <= 0 || !_again.TryDequeue(out connection)) { return false; }
        connection.NoteAgain();
        return true;
    }

    public void Wake() => _signal.Set();

    public void Dispose()
    {
        _set.Dispose();
        _event.Dispose();
    }

    private SocketError Watch(SafeHandle file, uint events, ulong key)
    {
        SystemCalls++;
        return _set.Watch(file, events, key);
    }

    private void Poll(TimeSpan timeout)
    {
        SystemCalls++;
        _at = 0;
        _set.Wait(timeout);
    }
}
