using System.Buffers;
using CoAP.Options;
using CoAP.Serialization;
using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Hostile.Malicious;

/// <summary>The server's end of a connection, which reacts to each request of the client as a delegate decides, at once or later.</summary>
internal sealed class MaliciousStream : IWireEnd, IStreamEvents
{
    // What the client does not read is lost: no scenario needs it.
    private const int MaxUnsent = 4 << 20;

    private readonly Wire _wire;
    private readonly IStreamConnection _connection;
    private readonly Action<MaliciousStream, CoapMessage> _react;
    private readonly PriorityQueue<Action, TimeSpan> _later = new();
    private readonly Queue<byte[]> _unsent = new();
    private byte[] _received = [];
    private long _unsentSize;
    private int _sent;
    private bool _isOver;

    public MaliciousStream(Wire wire, IStreamConnection connection, Action<MaliciousStream> open, Action<MaliciousStream, CoapMessage> react)
    {
        (_wire, _connection, _react) = (wire, connection, react);
        connection.Attach(this);
        wire.Attach(this);
        open(this);
    }

    /// <summary>The number of requests that have arrived.</summary>
    public int Count { get; private set; }

    /// <summary>The codes of the signals that have arrived.</summary>
    public List<CoapCode> Signals { get; } = [];

    /// <summary>Whether the server has ceased to read.</summary>
    public bool IsDeaf { get; set; }

    public TimeSpan? NextDeadline => !_isOver && _later.TryPeek(out _, out var at) ? at : null;

    public bool Run()
    {
        var hasWorked = Flush() | Receive();
        while (!_isOver && _later.TryPeek(out _, out var at) && at <= _wire.Time.Elapsed)
        {
            _later.Dequeue()();
            hasWorked = true;
        }
        return hasWorked | Flush();
    }

    /// <summary>Sends a CSM, with Block-Wise-Transfer and the largest message where they are said.</summary>
    public void Csm(uint? most = null, bool blocks = true)
    {
        List<CoapOption> options = most is { } size ? [new MaxMessageSize(size)] : [];
        if (blocks) { options.Add(new BlockWiseTransfer()); }
        Send(SignalCode.Csm, OptionSet.Create([.. options]));
    }

    public void Answer(CoapMessage request, CoapCode code, OptionSet options, int payload = 0, double after = 0) =>
        Do(after, () => Send(code, options, request.Token, payload));

    /// <summary>Sends a message.</summary>
    public void Send(CoapCode code, OptionSet options, Token token = default, int payload = 0) => Send(CoapMessageSerializer.Stream.Serialize(
        new CoapMessage { Code = code, Token = token, Options = options, Payload = new byte[payload] }));

    /// <summary>Sends bytes as they are.</summary>
    public void Send(byte[] bytes)
    {
        if (_isOver || _unsentSize + bytes.Length > MaxUnsent) { return; }
        _unsent.Enqueue(bytes);
        _unsentSize += bytes.Length;
    }

    /// <summary>Acts once, after so many seconds.</summary>
    public void Do(double after, Action action)
    {
        if (after == 0) { action(); }
        else { _later.Enqueue(action, _wire.Time.Elapsed + TimeSpan.FromSeconds(after)); }
    }

    /// <summary>Acts again and again.</summary>
    public void Every(double seconds, Action action) => Do(seconds, () =>
    {
        action();
        if (!_isOver) { Every(seconds, action); }
    });

    /// <summary>Closes the connection.</summary>
    public void Close()
    {
        Flush();
        _isOver = true;
        _connection.Dispose();
    }

    /// <summary>Ends this direction of the connection.</summary>
    public void EndSending()
    {
        Flush();
        _connection.EndSending();
    }

    void IStreamEvents.OnReadable()
    {
    }

    void IStreamEvents.OnWritable()
    {
    }

    private bool Flush()
    {
        var hasSent = false;
        while (!_isOver && _unsent.TryPeek(out var bytes))
        {
            if (_connection.Send(bytes.AsSpan(_sent), out var count) != StreamOutcome.Done || count == 0) { return hasSent; }
            hasSent = true;
            _sent += count;
            if (_sent < bytes.Length) { return hasSent; }
            _unsentSize -= _unsent.Dequeue().Length;
            _sent = 0;
        }
        return hasSent;
    }

    private bool Receive()
    {
        var buffer = new byte[16 << 10];
        var hasReceived = false;
        while (!_isOver && !IsDeaf && _connection.Receive(buffer, out var count) == StreamOutcome.Done && count > 0)
        {
            hasReceived = true;
            _received = [.. _received, .. buffer.AsSpan(0, count)];
            React();
        }
        return hasReceived;
    }

    private void React()
    {
        var rest = new ReadOnlySequence<byte>(_received);
        while (CoapMessageSerializer.Stream.Read(ref rest, out var message, out _) == ReadOutcome.Message)
        {
            if (!message!.Code.IsRequest)
            {
                Signals.Add(message.Code);
                continue;
            }
            Count++;
            _react(this, message);
        }
        _received = rest.ToArray();
    }
}
