using CoAP.Transports;

namespace CoAP.Tests.Transports;

/// <summary>Counts the events of a connection and lets tests wait for them.</summary>
internal sealed class StreamRecorder : IStreamEvents
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly object _gate = new();
    private readonly IStreamConnection _connection;
    private int _readables;
    private int _readablesSeen;
    private int _writables;
    private int _writablesSeen;

    public StreamRecorder(IStreamConnection connection)
    {
        _connection = connection;
        connection.Attach(this);
    }

    public List<byte> Received { get; } = [];

    public StreamOutcome Last { get; private set; }

    public int Readables => Volatile.Read(ref _readables);

    public bool IsWritable => Volatile.Read(ref _writables) > _writablesSeen;

    public static byte[] Pattern(int length) => [.. Enumerable.Range(0, length).Select(index => (byte)(index * 31 >> 3))];

    /// <summary>Called on the thread of the connection, if it has one.</summary>
    public void OnReadable()
    {
        if (_connection.IsBlocking) { ReceiveOnce(); }
        Count(ref _readables);
    }

    public void OnWritable() => Count(ref _writables);

    public void WaitWritable() => Wait(ref _writables, ref _writablesSeen).Should().BeTrue("the rest should have been sent");

    public void WaitReadable() => Wait(ref _readables, ref _readablesSeen).Should().BeTrue("something should have become readable");

    /// <summary>Receives this number of bytes, or until the end or a failure.</summary>
    public void Receive(int count)
    {
        Last = StreamOutcome.WouldBlock;
        while (Received.Count < count && Last is StreamOutcome.Done or StreamOutcome.WouldBlock)
        {
            if (!_connection.IsBlocking) { ReceiveOnce(); }
            if (Received.Count >= count || Last is StreamOutcome.Done && !_connection.IsBlocking) { continue; }
            if (Last is not (StreamOutcome.Done or StreamOutcome.WouldBlock)) { return; }
            _connection.ArmReceive();
            WaitReadable();
        }
    }

    /// <summary>Sends all bytes, and waits while there is no room.</summary>
    public void Send(ReadOnlyMemory<byte> bytes)
    {
        _connection.Send(bytes.Span, out var count);
        if (count == bytes.Length) { return; }
        _connection.ArmSend(bytes[count..]);
        WaitWritable();
    }

    private void Count(ref int events)
    {
        lock (_gate)
        {
            events++;
            Monitor.PulseAll(_gate);
        }
    }

    private bool Wait(ref int events, ref int seen)
    {
        lock (_gate)
        {
            while (events <= seen)
            {
                if (!Monitor.Wait(_gate, Patience)) { return false; }
            }

            seen++;
            return true;
        }
    }

    private void ReceiveOnce()
    {
        var buffer = new byte[4096];
        Last = _connection.Receive(buffer, out var count);
        Received.AddRange(buffer.AsSpan(0, count));
    }
}
