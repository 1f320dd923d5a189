using System.Diagnostics.CodeAnalysis;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace CoAP.Transports;

/// <summary>The connections of one lane on Linux: one call waits for all of them, and tells at once which of them can go on.</summary>
/// <remarks>Owned by the lane's thread; others may only <see cref="Wake"/> it and <see cref="Remove"/> from it.</remarks>
internal sealed unsafe class EpollSet : IDisposable
{
    private const int EventsAtOnce = 256;
    private const ulong WakeUp = ulong.MaxValue;

    private readonly SafeFileHandle _set;
    private readonly SafeFileHandle _event;
    private readonly WakeSignal _signal;
    private readonly byte* _entries;
    private readonly Queue<PolledConnection> _again = new();
    private readonly Dictionary<ulong, PolledConnection> _members = [];
    private readonly Lock _gate = new();
    private ulong _lastKey;
    private int _count;
    private int _at;
    private int _againNow;
    private bool _isDisposed;

    /// <exception cref="SocketException">The system has no descriptor left.</exception>
    public EpollSet()
    {
        _set = Owned(EpollCalls.Create(EpollCalls.CloseOnExec));
        _event = Owned(LinuxCalls.CreateEvent(0, LinuxCalls.EventNonBlocking | LinuxCalls.EventCloseOnExec));
        _signal = new WakeSignal(WakeSleeper);
        _entries = (byte*)NativeMemory.Alloc(EventsAtOnce, (nuint)EpollEntry.Size);
        var error = Watch(_event, EpollCalls.Readable | EpollCalls.OnChange, WakeUp);
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
        if (_again.Count > 0 || _at < _count || !_signal.TrySleep()) { return; }
        // Rounded up: a lane that wakes too early would only sleep again.
        var milliseconds = timeout == Timeout.InfiniteTimeSpan ? -1 : (int)Math.Clamp(Math.Ceiling(timeout.TotalMilliseconds), 0, int.MaxValue);
        Poll(milliseconds);
        _signal.Awake();
    }

    /// <summary>Looks for connections that can go on, unless a wait has just found some. Answers whether there may be more than it found.</summary>
    public bool Look()
    {
        if (_at == _count) { Poll(0); }
        _againNow = _again.Count;
        return _count == EventsAtOnce || _again.Count > 0;
    }

    /// <summary>The next connection that can go on. What it leaves for another look waits for the next turn: this one has yet to send its output.</summary>
    public bool TryNext([NotNullWhen(true)] out PolledConnection? connection)
    {
        while (_at < _count)
        {
            var entry = _entries + (_at++ * EpollEntry.Size);
            var key = EpollEntry.DataOf(entry);
            if (key == WakeUp) { continue; }
            lock (_gate) { _members.TryGetValue(key, out connection); }
            if (connection is null) { continue; }   // closed since
            connection.Note(EpollEntry.EventsOf(entry));
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
        if (_isDisposed) { return; }
        _isDisposed = true;
        _set.Dispose();
        _event.Dispose();
        NativeMemory.Free(_entries);
    }

    private static SafeFileHandle Owned(int file)
    {
        return file >= 0 ? new SafeFileHandle(file, ownsHandle: true) : throw new SocketException((int)LinuxCalls.LastError);
    }

    private SocketError Watch(SafeHandle file, uint events, ulong key)
    {
        var entry = stackalloc byte[EpollEntry.Size];
        EpollEntry.Write(entry, events, key);
        SystemCalls++;
        return EpollCalls.Control(_set, EpollCalls.Add, file, entry) == 0 ? SocketError.Success : LinuxCalls.LastError;
    }

    private void Poll(int milliseconds)
    {
        SystemCalls++;
        (_at, _count) = (0, Math.Max(0, EpollCalls.Wait(_set, _entries, EventsAtOnce, milliseconds)));
    }

    // The event is watched for changes and never read: each write is one, and its count does not overflow in the life of a machine.
    private void WakeSleeper()
    {
        var one = 1UL;
        try
        {
            _ = LinuxCalls.Write(_event, &one, sizeof(ulong));
        }
        catch (ObjectDisposedException)
        {
            // The lane has woken by itself and ended between the signal and this call.
        }
    }
}
