using CoAP.Lanes;
using CoAP.Options;
using CoAP.Serialization;
using CoAP.Signaling;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>Reads a connection and hands its messages to the lane. As work for the lane, it is one turn of reading.</summary>
/// <remarks>
/// Reading stops while the requests in progress, the unsent responses or the received bytes of the account leave no room. <see cref="ResumeIfRoom"/> starts it again.
/// A blocking connection receives on its own thread, outside the lane, and its bytes are processed on the lane.
/// </remarks>
internal sealed class StreamInput : LaneWork, IFrameConsumer
{
    // Limits the turn of one connection. The other connections of the lane wait for its end.
    private const int ReadsPerTurn = 4;

    // A connection with many small messages in its buffer keeps those that it could not process in its turn. So it reads fewer bytes at a time. One
    // with messages that fill its reads reads more.
    private const int FirstRead = 4 << 10;
    private const int LeastRead = 1 << 10;
    private const int MostRead = 16 << 10;  // unless a larger message is incomplete

    // The responses to this many messages are sent together. With all responses of a turn in one write, each side would idle while the other works.
    private const int MessagesPerFlush = 32;

    private readonly StreamLane _lane;
    private readonly StreamChannel _channel;
    private readonly IStreamConnection _connection;
    private readonly SignalingMachine _machine;
    private readonly StreamLifetime _lifetime;
    private readonly StreamOutput _output;
    private MessageFramer _framer;
    // Created when a large message arrives: most connections have none.
    private InputReservation? _reservation;
    private ReadOnlyMemory<byte> _unprocessed;
    private StreamOutcome _outcome;     // of the receive on the connection's own thread
    private int _count;
    private int _messageCount;
    private int _readSize = FirstRead;
    private Pending _pending;
    private bool _awaitsRoom;

    /// <param name="lane">The lane of the connection.</param>
    /// <param name="channel">The channel of the connection.</param>
    /// <param name="connection">The connection to read.</param>
    /// <param name="machine">Decides about the length of messages, and counts requests in progress.</param>
    /// <param name="lifetime">The state of the connection.</param>
    /// <param name="output">The unsent responses.</param>
    public StreamInput(
        StreamLane lane, StreamChannel channel, IStreamConnection connection, SignalingMachine machine, StreamLifetime lifetime, StreamOutput output)
    {
        (_lane, _channel, _connection, _machine, _lifetime, _output) = (lane, channel, connection, machine, lifetime, output);
        _framer = new MessageFramer(CoapMessageSerializer.Stream, this);
    }

    /// <summary>Whether reading is paused until there is room.</summary>
    public bool AwaitsRoom => _awaitsRoom;

    /// <summary>The time of <see cref="OnDeadline"/>.</summary>
    public long Deadline => _reservation?.Deadline ?? long.MaxValue;

    private enum Pending : byte { None, Resume, Run }

    bool IFrameConsumer.TakesMore => IsOpen && !_lane.Turns.IsOver && HasRoom();

    private bool IsOpen => _lifetime.State == StreamState.Open;

    private InputReservation Reservation =>
        _reservation ??= new InputReservation(_lane, _channel.Turn.Owner, isComplete: _connection.HasMessageBoundaries, this);

    /// <summary>Starts a turn of reading after the connection has become readable. Any thread.</summary>
    public void OnReadable()
    {
        if (!_connection.IsBlocking)
        {
            if (_connection.RaisesEventsOnLane) { Run(); }
            else { _lane.PostHere(this); }
            return;
        }
        if (_unprocessed.Length == 0) { _outcome = _connection.Receive(_lane.Buffer.Span, out _count); }
        _lane.RunHere(this);
    }

    /// <summary>Continues reading, if there is a reason, and sends the output. It is the connection's turn.</summary>
    public void RunTurn()
    {
        _connection.RaiseEvents();
        var pending = _pending;
        _pending = Pending.None;
        if (pending == Pending.Run) { ReadReceived(); }
        else if (pending == Pending.Resume) { Resume(); }
        if (_output.Unsent > 0 && !_output.IsArmed) { _channel.Flush(); }
    }

    private void Resume()
    {
        if (_lifetime.State == StreamState.Closed) { return; }
        if (_connection.IsBlocking || !IsOpen) { _connection.ArmReceive(); }
        else { Read(); }
    }

    /// <summary>Continues reading if it waits for room and there is some.</summary>
    public void ResumeIfRoom()
    {
        if (!_awaitsRoom) { return; }
        if (!HasRoom())
        {
            _channel.Turn.AwaitRoom();
            return;
        }
        _awaitsRoom = false;
        ContinueLater(Pending.Resume);
    }

    /// <summary>Called when the account has room. Continues everything that waits for it on the connection.</summary>
    public void OnRoom() => _channel.OnRoom();

    /// <summary>Ends the connection if a message arrives too slowly while its account uses much of its share.</summary>
    public void OnDeadline()
    {
        if (_reservation?.IsTooSlow(_framer.Length, isPaused: _awaitsRoom) == true && IsOpen) { _channel.Abort(MessageProgress.TooSlow); }
    }

    /// <summary>Drops bytes that are not processed and the message that is not whole.</summary>
    public void Drop()
    {
        _reservation?.Cancel();
        _framer.Forget();
        _unprocessed = default;
    }

    /// <summary>Handles the event that the connection is readable, on the lane.</summary>
    public override void Run()
    {
        if (_connection.IsBlocking || _connection.RaisesEventsOnLane) { ReadReceived(); }
        else { ContinueLater(Pending.Run); }
    }

    private void ReadReceived()
    {
        if (_lifetime.State == StreamState.Closed) { return; }
        if (!IsOpen) { Discard(); }
        else if (!_connection.IsBlocking) { Read(); }
        else if (_unprocessed.Length > 0) { EndTurn(ProcessRest()); }
        else { EndTurn(Process(_outcome, _count)); }
    }

    public override void Abandon()
    {
    }

    FrameVerdict IFrameConsumer.Judge(in StreamHeader header) =>
        _machine.JudgeLength(header.TotalLength - (_connection.HasMessageBoundaries ? header.ExtendedLengthSize : 0), header.Code, header.TokenLength);

    bool IFrameConsumer.MayKeep(long size) => Reservation.TryTake(size);

    void IFrameConsumer.OnFrame(CoapCode code, ReadOnlyMemory<byte> bytes, bool isOwned)
    {
        _reservation?.Release();
        _lane.Turns.Charge(messages: 1, bytes.Length);
        var frame = new Frame(_channel.Key, bytes) { Link = _channel, IsOwned = isOwned };
        if (code.IsSignal)
        {
            _lane.ReceiveSignal(frame);
            return;
        }
        _lifetime.HasMessages = true;
        _channel.OnMessage(code);
        if (!IsOpen) { return; }
        _lane.Receive(frame);
        if (++_messageCount % MessagesPerFlush == 0) { _channel.Flush(); }
    }

    void IFrameConsumer.OnTooLarge(CoapCode code, in Token token)
    {
        _reservation?.Release();
        if (code.IsRequest)
        {
            // Size1 is the largest size that we accept (RFC 7252, section 5.9.2.9).
            var refusal = new CoapResponse(ResponseCode.RequestEntityTooLarge) { Options = [new Size1((uint)_lane.Stream.MaxMessageSize)] };
            _lane.Refuse(new StreamRequest(_channel, new CoapMessage { Code = code, Token = token }), refusal);
        }
        else if (_lane.Exchanges.TryFind(token, _channel.Key, out var owner) && owner.Link == _channel)
        {
            owner.Fail(new CoapTransportException(
                $"The response of {_channel.Peer} is larger than {_lane.Stream.MaxMessageSize} bytes (StreamSettings.MaxMessageSize) and was skipped."));
        }
    }

    void IFrameConsumer.OnSkipped(CoapCode code) => _channel.OnMessage(code);

    void IFrameConsumer.OnUnreadable(FormatError error, string? diagnostic)
    {
        if (diagnostic is not null) { _channel.Abort(diagnostic); }
        else
        {
            _lane.Metrics.Reject(error);
            _channel.AbortMalformed(error);
        }
    }

    private bool HasRoom()
    {
        if (_reservation is { IsAwaited: true } || _machine.RequestsInProgress >= _lane.Stream.MaxRequestsInProgress) { return false; }
        if (HasRoomForResponses) { return true; }
        _channel.Flush();
        return HasRoomForResponses;
    }

    // Unsent requests do not count. Two peers that each wait until the other has read its requests would wait forever.
    private bool HasRoomForResponses => _output.UnsentResponses + (_machine.RequestsInProgress * _output.ExpectedResponse) is var unsent
        && (unsent == 0 || unsent <= _lane.Stream.MaxUnreadSize) && _channel.Turn.HasRoom;

    private void Read()
    {
        _messageCount = 0;
        var isDone = ProcessRest();
        var isDrained = false;
        for (var reads = 0; isDone && !isDrained && reads < ReadsPerTurn && !_lane.Turns.IsOver; reads++)
        {
            var size = Math.Min(_readSize, _lane.Buffer.Length);
            if (size > FirstRead) { size = _channel.Turn.WithinRoom(size, Math.Max(FirstRead, _reservation?.MissingFrom(_framer.Length) ?? 0)); }
            var outcome = _connection.Receive(_lane.Buffer.Span[..size], out var count);
            isDone = Process(outcome, count);
            isDrained = count < size;
            if (!isDone) { _readSize = Math.Max(size / 2, LeastRead); }
            else if (!isDrained) { _readSize = Math.Max(size, Math.Min(2 * size, _framer.IsInside ? _lane.Buffer.Length : MostRead)); }
        }
        EndTurn(isDone);
    }

    private void ContinueLater(Pending pending)
    {
        if (_pending < pending) { _pending = pending; }
        _channel.Turn.Add();
    }

    /// <summary>Schedules the next turn: when bytes arrive, in the next turn of the lane, or when there is room.</summary>
    /// <param name="isDone">Whether all bytes that were received are processed.</param>
    private void EndTurn(bool isDone)
    {
        if (_lifetime.State == StreamState.Ending) { _connection.ArmReceive(); }
        if (!IsOpen || _lifetime.HasPeerEnded) { return; }
        if (_reservation is { IsAwaited: true }) { _machine.MessageHeld(_lane.Now); }
        else if (_framer.IsInside) { _machine.MessageStarted(_lane.Now); }
        _channel.Reschedule();
        if (isDone) { _connection.ArmReceive(); }
        else if (HasRoom()) { ContinueLater(Pending.Resume); }
        else
        {
            _awaitsRoom = true;
            _channel.Turn.AwaitRoom();
            _channel.ProbeLater();
        }
    }

    /// <summary>Processes what was received; returns <see langword="false"/> if bytes are left, or the connection has ended.</summary>
    private bool Process(StreamOutcome outcome, int count)
    {
        switch (outcome)
        {
            case StreamOutcome.Done:
                var processed = _framer.Take(_lane.Buffer[..count]);
                if (processed == count || !IsOpen) { return IsOpen; }
                _unprocessed = _lane.Buffer[processed..count].ToArray();
                if (_unprocessed.Length > FirstRead) { Reservation.Keep(_unprocessed.Length); }
                return false;
            case StreamOutcome.Ended:
                _channel.EndByPeer();
                return false;
            case StreamOutcome.Refused:
                _channel.Abort(_connection.Refusal!);
                return false;
            case StreamOutcome.Failed:
                _channel.Fail();
                return false;
            default:
                return true;
        }
    }

    /// <summary>Processes the bytes that an earlier turn left; returns <see langword="false"/> if some are still left, or the connection has ended.</summary>
    private bool ProcessRest()
    {
        if (_unprocessed.Length == 0) { return true; }
        var processed = _framer.Take(_unprocessed);
        _unprocessed = processed == _unprocessed.Length || !IsOpen ? default : _unprocessed[processed..];
        if (_unprocessed.Length == 0) { _reservation?.Keep(0); }
        return _unprocessed.Length == 0 && IsOpen;
    }

    /// <summary>Reads an ending connection without processing its bytes, until the peer closes it.</summary>
    private void Discard()
    {
        var outcome = _connection.IsBlocking ? _outcome : StreamOutcome.Done;
        for (var reads = 0; !_connection.IsBlocking && reads < ReadsPerTurn && outcome == StreamOutcome.Done; reads++)
        {
            outcome = _connection.Receive(_lane.Buffer.Span, out _);
        }
        if (!_channel.TryFinish(outcome)) { _connection.ArmReceive(); }
    }
}
