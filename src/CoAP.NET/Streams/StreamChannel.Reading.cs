using CoAP.Lanes;
using CoAP.Options;
using CoAP.Serialization;
using CoAP.Transports;

namespace CoAP.Streams;

/// <content>What comes from the transport.</content>
internal sealed partial class StreamChannel : IStreamEvents, IFrameConsumer
{
    // The turn of one connection; the others of the lane wait that long.
    private const int ReadsPerTurn = 4;

    // So many messages' answers go at once: with all of a turn the peer would have nothing to do while we work, nor we while it does.
    private const int SentTogether = 16;

    private readonly ReadableWork _readable;
    private int _takenTogether;
    private WritableWork? _writable;
    private byte[] _uncut = [];
    private StreamOutcome _received;
    private int _receivedCount;
    private bool _waitsForRoom;
    private volatile bool _hasOpened;

    /// <summary>Whether our CSM is on its way, so that requests come behind it (RFC 8323, section 5.3).</summary>
    public bool HasOpened => _hasOpened;

    bool IFrameConsumer.TakesMore => _state == State.Open && !_lane.IsHeldBack && HasRoom();

    void IStreamEvents.OnReadable()
    {
        if (!_connection.IsBlocking)
        {
            if (_connection.RaisesEventsOnLane) { OnReadableOnLane(); }
            else { _lane.PostHere(_readable); }
            return;
        }
        // The connection's own thread: it waits for bytes outside of the lane, and works on them in it.
        if (_uncut.Length == 0) { _received = _connection.Receive(_lane.Buffer.Span, out _receivedCount); }
        _lane.RunHere(_readable);
    }

    void IStreamEvents.OnWritable()
    {
        if (_connection.RaisesEventsOnLane) { OnWritableOnLane(); }
        else { _lane.PostHere(_writable ??= new WritableWork(this)); }
    }

    /// <summary>Has the connection's changes told by the sockets of the lane, where that is how it learns of them.</summary>
    public void Join(ConnectionPoller sockets) => (_connection as PolledConnection)?.Join(sockets);

    /// <summary>Sends our CSM and begins to read.</summary>
    public void Open()
    {
        _connection.Attach(this);
        _end.Begin();
        SendSignal(_signaling.Open(Lane.Now));
        _hasOpened = true;
        WatchTime();
        _connection.ArmReceive();
    }

    /// <summary>Goes on reading after it was held back.</summary>
    public void Resume()
    {
        if (_state == State.Closed) { return; }
        if (_connection.IsBlocking || _state == State.Ending) { _connection.ArmReceive(); }
        else { Read(); }
    }

    /// <summary>Goes on reading if there is room again.</summary>
    public void ResumeIfRoom()
    {
        if (!_waitsForRoom || !HasRoom()) { return; }
        _waitsForRoom = false;
        _lane.ResumeLater(this);
    }

    FrameVerdict IFrameConsumer.Judge(in StreamHeader header) =>
        _signaling.JudgeLength(header.TotalLength - (_connection.HasMessageBoundaries ? header.ExtendedLengthSize : 0), header.Code, header.TokenLength);

    bool IFrameConsumer.MayKeep(int size, bool isWhole) => (_share ??= new InputShare(this, _lane.Budget)).TryGrow(size, isWhole);

    void IFrameConsumer.OnFrame(CoapCode code, ReadOnlyMemory<byte> bytes, bool isOwned)
    {
        _share?.GiveBack();
        var frame = new Frame(Key, bytes) { Link = this, IsOwned = isOwned };
        if (code.IsSignal)
        {
            _lane.ReceiveSignal(frame);
            return;
        }
        _hasServed = true;
        Do(_signaling.Heard(code, Lane.Now));
        if (_state != State.Open) { return; }
        _lane.Receive(frame);
        if (++_takenTogether % SentTogether == 0) { Flush(); }
    }

    void IFrameConsumer.OnTooLarge(CoapCode code, in Token token)
    {
        _share?.GiveBack();
        if (code.IsRequest)
        {
            // Size1 tells what would have been taken (RFC 7252, section 5.9.2.9).
            var limit = new Size1((uint)_lane.Stream.MaxMessageSize);
            SendSignal(new CoapMessage { Code = ResponseCode.RequestEntityTooLarge, Token = token, Options = [limit] });
        }
        else if (Lane.Exchanges.TryFind(token, Key, out var owner) && owner.Link == this)
        {
            owner.Fail(new CoapTransportException(
                $"The response of {Peer} is larger than {_lane.Stream.MaxMessageSize} bytes and was skipped (StreamSettings.MaxMessageSize)."));
        }
    }

    void IFrameConsumer.OnSkipped(CoapCode code) => Do(_signaling.Heard(code, Lane.Now));

    void IFrameConsumer.OnUnreadable(FormatError error, string? diagnostic)
    {
        if (diagnostic is not null) { Do(_signaling.Abort(diagnostic)); }
        else
        {
            Lane.Metrics.Malformed++;
            AbortMalformed(error);
        }
    }

    // Only answers count: a peer that waits until we have read its own would otherwise wait for ever.
    private bool HasRoom()
    {
        if (_share is { IsAwaited: true } || _signaling.RequestsInProgress >= _lane.Stream.MaxRequestsInProgress) { return false; }
        if (HasRoomForAnswers) { return true; }
        Flush();
        return HasRoomForAnswers;
    }

    private bool HasRoomForAnswers => _output.UnsentAnswers is var unread
        && (unread == 0 || (unread <= _lane.Stream.MaxUnreadAnswers && !_lane.Budget.IsFull));

    private void OnReadableOnLane()
    {
        if (_state == State.Closed) { return; }
        if (_state == State.Ending) { Discard(); }
        else if (!_connection.IsBlocking) { Read(); }
        else if (_uncut.Length > 0) { GoOn(CutRest()); }
        else { GoOn(Take(_received, _receivedCount)); }
    }

    private void Read()
    {
        var isDrained = false;
        if (!CutRest())
        {
            GoOn(false);
            return;
        }
        for (var reads = 0; reads < ReadsPerTurn && !isDrained; reads++)
        {
            var outcome = _connection.Receive(_lane.Buffer.Span, out var count);
            if (!Take(outcome, count))
            {
                GoOn(false);
                return;
            }
            isDrained = count < _lane.Buffer.Length;
        }
        GoOn(true);
    }

    /// <summary>Reads on, or remembers to when there is room.</summary>
    private void GoOn(bool isDone)
    {
        if (_state == State.Ending) { _connection.ArmReceive(); }
        if (_state != State.Open || _end.HasPeerEnded) { return; }
        if (_share is { IsAwaited: true }) { _signaling.MessageHeld(); }
        else if (_input.IsInside) { _signaling.MessageStarted(Lane.Now); }
        WatchTime();
        if (isDone) { _connection.ArmReceive(); }
        else if (HasRoom()) { _lane.ResumeLater(this); }
        else { _waitsForRoom = true; }
    }

    /// <summary>Cuts what was received; <see langword="false"/> where not all of it could be taken.</summary>
    private bool Take(StreamOutcome outcome, int count)
    {
        switch (outcome)
        {
            case StreamOutcome.Done:
                var cut = _input.Take(_lane.Buffer[..count]);
                if (cut == count || _state != State.Open) { return _state == State.Open; }
                _uncut = _lane.Buffer[cut..count].ToArray();
                return false;
            case StreamOutcome.Ended:
                OnPeerEnded();
                return false;
            case StreamOutcome.Failed:
                OnBroken();
                return false;
            default:
                return true;
        }
    }

    private bool CutRest()
    {
        if (_uncut.Length == 0) { return true; }
        var cut = _input.Take(_uncut);
        _uncut = cut == _uncut.Length || _state != State.Open ? [] : _uncut[cut..];
        return _uncut.Length == 0 && _state == State.Open;
    }

    /// <summary>After our last word: the peer's bytes go to nobody, until it closes or the time is over.</summary>
    private void Discard()
    {
        var outcome = StreamOutcome.Done;
        if (_connection.IsBlocking) { outcome = _received; }
        else
        {
            for (var reads = 0; reads < ReadsPerTurn && outcome == StreamOutcome.Done; reads++)
            {
                outcome = _connection.Receive(_lane.Buffer.Span, out _);
            }
        }
        _end.HasPeerEnded |= outcome == StreamOutcome.Ended;
        // It may have ended its own direction only, and go on to take what is collected for it.
        if (outcome == StreamOutcome.Ended && _output.Unsent > 0 && !_cutsShort) { return; }
        if (outcome is StreamOutcome.Ended or StreamOutcome.Failed) { Dispose(); }
        else { _connection.ArmReceive(); }
    }

    private sealed class ReadableWork(StreamChannel channel) : LaneWork
    {
        public override void Run() => channel.OnReadableOnLane();

        public override void Abandon()
        {
        }
    }

    private sealed class WritableWork(StreamChannel channel) : LaneWork
    {
        public override void Run() => channel.OnWritableOnLane();

        public override void Abandon()
        {
        }
    }
}
