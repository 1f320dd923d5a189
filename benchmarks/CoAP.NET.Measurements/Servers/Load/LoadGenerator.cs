using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Measurements.Servers.Load;

/// <summary>Many connections to one server, on one thread. A connection that was answered asks again.</summary>
/// <remarks>Waits by the library's own call, so that the generator costs as little of the shared machine as it can; messages are its own bytes.</remarks>
internal sealed class LoadGenerator(Wire wire, int port) : IDisposable
{
    private const int ConnectBatch = 200;
    private const int EventsAtOnce = 512;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(15);

    private readonly Epoll _epoll = new(EventsAtOnce);
    private readonly List<LoadConnection> _connections = [];
    private readonly PriorityQueue<LoadConnection, long> _pausing = new();
    private readonly byte[] _buffer = new byte[64 << 10];
    private long _end;
    private int _waiting;

    /// <summary>The connections that are open.</summary>
    public int Count => _connections.Count;

    /// <summary>Opens connections until there are so many; each has been answered once, so that it is known to be served.</summary>
    /// <exception cref="InvalidOperationException">The server answers no more.</exception>
    public void Grow(int count)
    {
        while (_connections.Count < count)
        {
            var from = _connections.Count;
            var greeted = Math.Min(count - from, ConnectBatch);
            for (int i = 0; i < greeted; i++) { Connect(); }
            var asker = new Asker(wire.Reverse, isReverse: true);
            Run([(asker, from, greeted)], TimeSpan.Zero);
            if (asker.Latencies.Count == greeted && asker.Wrong == 0) { continue; }
            throw new InvalidOperationException(string.Create(
                CultureInfo.InvariantCulture, $"Of connections {from} to {from + greeted} only {asker.Latencies.Count} were answered, {asker.Wrong} wrongly."));
        }
    }

    /// <summary>Has connections ask for some time, then waits for what is in flight. Answers the time from the first request to the last answer.</summary>
    /// <param name="askers">What is asked, the first connection that asks it and how many do.</param>
    /// <param name="duration">How long new requests are sent; each connection sends at least one.</param>
    public TimeSpan Run(IReadOnlyList<(Asker Asker, int From, int Count)> askers, TimeSpan duration)
    {
        var started = Stopwatch.GetTimestamp();
        _end = started + (long)(duration.TotalSeconds * Stopwatch.Frequency);
        _pausing.Clear();
        foreach (var (asker, from, count) in askers)
        {
            for (int i = from; i < from + count; i++)
            {
                _connections[i].Asker = asker;
                Ask(_connections[i]);
                if (i % ConnectBatch == 0) { Turn(0); }
            }
        }
        while (_waiting > 0 || _pausing.Count > 0)
        {
            if (Stopwatch.GetElapsedTime(_end) > Patience) { GiveUp(); }
            else { Turn(_pausing.Count > 0 ? 1 : 100); }
        }
        return Stopwatch.GetElapsedTime(started);
    }

    public void Dispose()
    {
        _connections.ForEach(static connection => connection.Dispose());
        _epoll.Dispose();
    }

    private void Connect()
    {
        var source = new IPAddress([127, 0, 0, (byte)(2 + _connections.Count % 16)]);
        var connection = new LoadConnection(new IPEndPoint(IPAddress.Loopback, port), source);
        if (wire.Greeting.Length > 0) { connection.Send(wire.Greeting); }
        var error = _epoll.Watch(connection.Handle, EpollCalls.Readable, (ulong)_connections.Count);
        if (error is not SocketError.Success) { throw new SocketException((int)error); }
        _connections.Add(connection);
    }

    private void Turn(int milliseconds)
    {
        _epoll.Wait(TimeSpan.FromMilliseconds(milliseconds));
        for (int i = 0; i < _epoll.Count; i++) { Read(_connections[(int)_epoll.KeyAt(i)]); }
        while (_pausing.TryPeek(out var connection, out var due) && due <= Stopwatch.GetTimestamp())
        {
            _pausing.Dequeue();
            if (due < _end) { Ask(connection); }
        }
    }

    private void Ask(LoadConnection connection)
    {
        connection.SentAt = Stopwatch.GetTimestamp();
        connection.IsWaiting = true;
        _waiting++;
        connection.Send(connection.Asker!.Request);
    }

    private void Read(LoadConnection connection)
    {
        var bytes = connection.Receive(_buffer);
        if (bytes.IsEmpty) { throw new InvalidOperationException($"The server closed one of {_connections.Count} connections."); }
        while (wire.Cut(bytes, out var isAnswer) is var length and > 0)
        {
            if (isAnswer) { Note(connection, bytes[..length]); }
            bytes = bytes[length..];
        }
        connection.Keep(bytes);
    }

    private void Note(LoadConnection connection, ReadOnlySpan<byte> answer)
    {
        if (!connection.IsWaiting || connection.Asker is not { } asker) { return; }
        var now = Stopwatch.GetTimestamp();
        connection.IsWaiting = false;
        _waiting--;
        asker.Latencies.Record(Stopwatch.GetElapsedTime(connection.SentAt, now));
        if (!wire.IsGood(answer, asker.IsReverse)) { asker.Wrong++; }
        if (asker.Pause > TimeSpan.Zero) { _pausing.Enqueue(connection, now + (long)(asker.Pause.TotalSeconds * Stopwatch.Frequency)); }
        else if (now < _end) { Ask(connection); }
    }

    private void GiveUp()
    {
        foreach (var connection in _connections.Where(static connection => connection.IsWaiting))
        {
            connection.IsWaiting = false;
            connection.Asker!.Missing++;
        }
        _waiting = 0;
        _pausing.Clear();
    }
}
