using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Signaling;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>One connection of a reliable transport on its lane (RFC 8323).</summary>
/// <remarks>
/// The channel sends frames and signals, and connects the parts of the connection: <see cref="StreamInput"/> reads, <see cref="StreamOutput"/> holds what
/// is unsent, <see cref="OutgoingRequests"/> are our requests, and <see cref="StreamLifetime"/> is the state. The parts hold their own state. The channel
/// carries out what the signaling machine decides, and follows each change of the state.
/// Only the lane uses the channel, except for members that are documented as safe for any thread. Users hold its <see cref="Handle"/>.
/// </remarks>
internal sealed class StreamChannel : LaneChannel, IFrameLink, IStreamEvents, ILaneDeadline, IDisposable
{
    // Copying more bytes, so that they are sent in one call, costs as much as a call.
    private const int MostCollected = 16 << 10;

    private readonly StreamLane _lane;
    private readonly IStreamConnection _connection;
    private readonly SignalingMachine _machine;
    private readonly PeerCapabilities _capabilities;
    private readonly StreamOutput _output;
    private readonly StreamLifetime _lifetime;
    private readonly StreamInput _input;
    // Created on first use. A server has thousands of connections on which it sends no requests and no large messages.
    private OutgoingRequests? _requests;
    private SendTimeLimits? _sendLimits;
    private StreamChannelHandle? _handle;
    private LaneAction? _writable;
    private volatile bool _isOpened;

    /// <param name="lane">The lane of the connection.</param>
    /// <param name="connection">The connection. The channel disposes of it.</param>
    /// <param name="runsHandlers">The value of <see cref="RunsHandlers"/>.</param>
    public StreamChannel(StreamLane lane, IStreamConnection connection, bool runsHandlers)
        : base(lane, new ChannelKey(connection.Peer, connection.Local))
    {
        (_lane, _connection, RunsHandlers) = (lane, connection, runsHandlers);
        _machine = new SignalingMachine(lane.Stream);
        _capabilities = new PeerCapabilities(connection.Peer);
        _output = new StreamOutput(connection, lane.LargeRequests);
        _lifetime = new StreamLifetime(lane, connection, _output, _capabilities);
        _input = new StreamInput(lane, this, connection, _machine, _lifetime, _output);
    }

    /// <summary>The public face of the connection. Safe to read from any thread.</summary>
    public StreamChannelHandle Handle => _handle ??= new StreamChannelHandle(this);

    public override IFrameLink? Link => this;

    public PeerIdentity Peer => Key.Peer;

    public PeerCredentials? Credentials => _connection.Credentials;
    public override string Scheme => _connection.Scheme.GetName();
    public StreamSettings Settings => _lane.Stream;

    /// <summary>Creates the services of a request; <see langword="null"/> if requests have none.</summary>
    public Func<IncomingRequest, IServiceProvider>? RequestServices => _lane.RequestServices;

    /// <summary>Whether the connection has its own thread, which blocks in reads.</summary>
    public bool IsBlocking => _connection.IsBlocking;

    /// <summary>Whether the connection has its own thread, which handlers may block.</summary>
    public bool RunsHandlers { get; }

    /// <summary>The state of the connection and the reason for its end.</summary>
    public StreamLifetime Lifetime => _lifetime;

    /// <summary>Whether our CSM was sent, so that requests may follow (RFC 8323, section 5.3). Safe to read from any thread.</summary>
    public bool IsOpened => _isOpened;

    public override bool IsClosed => _lifetime.State != StreamState.Open;

    public override bool IsUsable => _lifetime.IsUsable;

    public override bool HasEnded => _lifetime.HasEnded || !_machine.MayStartRequests;

    /// <summary>The limits of the peer; the defaults of RFC 8323 before its first CSM.</summary>
    public MessageLimits KnownLimits => _capabilities.Limits;

    public override MessageLimits? Limits => _capabilities.AreKnown ? _capabilities.Limits : null;

    /// <summary>The largest message that the peer accepts, in bytes (RFC 8323, section 5.3.1).</summary>
    public int MaxSendSize => _capabilities.MaxSize;

    /// <summary>The longest token that the peer accepts in requests, in bytes; <see langword="null"/> before its CSM (RFC 8974, section 2.2.1).</summary>
    public int? PeerMaxTokenLength => _capabilities.AreKnown ? _capabilities.MaxTokenLength : null;

    /// <summary>Whether responses to the peer's requests are still unsent.</summary>
    public bool HasUnsentResponses => _output.UnsentResponses > 0;

    public long Deadline { get; private set; } = long.MaxValue;

    public int QueueIndex { get; set; }

    /// <summary>The turns of the connection, which it has from the time when it is opened.</summary>
    public ChannelTurn Turn { get; private set; } = null!;

    private OutgoingRequests Requests => _requests ??= new OutgoingRequests(_lane, _lane.Stream, _machine, _output, _lifetime, _capabilities);

    private string Self => _lane.Settings.IsClient ? "this client" : "this server";

    /// <summary>Sends our CSM and starts reading.</summary>
    /// <param name="poller">The poller of the lane, if it has one.</param>
    public void Open(ConnectionPoller? poller)
    {
        Turn = new ChannelTurn(_lane, _connection, _input, _output);
        if (poller is not null) { _connection.Join(poller); }
        _connection.Attach(this);
        _lifetime.Begin();
        Send(_machine.Open(_lane.Now));
        _isOpened = true;
        _lane.Events?.OnOpened(this, static channel => channel, static channel => channel.Describe());
        Reschedule();
        _connection.ArmReceive();
    }

    public override void AwaitLimits(ClientCall call) => Requests.AwaitLimits(call);

    public override void Submit(ClientExchange exchange) => Requests.Submit(exchange, this);

    public override void Send(UntrackedRequest request) => Requests.Send(request, this);

    public override void Settle(in ChannelKey key, MessageId messageId) { }

    public override void Release(ClientExchange exchange)
    {
        if (_requests?.TryFinish(exchange) == true) { Apply(_machine.CallFinished(_lane.Now)); }
    }

    public override void AddUser(Action<Exception> onEnded) => Requests.AddUser(onEnded);

    public override void RemoveUser(Action<Exception> onEnded)
    {
        if (_requests?.TryRemoveUser(onEnded) == true) { Apply(_machine.CallFinished(_lane.Now)); }
    }

    /// <summary>Sends a Ping if the peer may be gone (RFC 8323, section 5.4).</summary>
    public override void Probe()
    {
        if (IsClosed) { return; }
        Apply(_machine.Probe(_lane.Now));
        Reschedule();
    }

    /// <summary>Handles a signaling message of the peer.</summary>
    public void OnSignal(CoapMessage signal)
    {
        if (_lifetime.State == StreamState.Open) { Apply(_machine.Receive(signal, _lane.Now)); }
    }

    /// <summary>Counts a message of the peer that is not a signal.</summary>
    public void OnMessage(CoapCode code) => Apply(_machine.Heard(code, _lane.Now));

    /// <summary>Ends the connection because its bytes are not a message (RFC 8323, section 5.6).</summary>
    public void AbortMalformed(FormatError error) => Abort(error.Describe() + ".");

    /// <summary>Sends an Abort and ends the connection (RFC 8323, section 5.6).</summary>
    public void Abort(string diagnostic) => Apply(_machine.Abort(diagnostic));

    /// <summary>Appends a frame to the output. It is sent at the end of the lane's turn.</summary>
    public void Transmit(in Frame frame)
    {
        if (IsClosed || !(Turn.HasRoomFor(frame) || TryMakeRoom(frame))) { return; }
        if (_output.Unsent == 0) { _lane.FlushLater(this); }
        if (frame.Large is null) { _output.Append(frame.Bytes.Span, isResponse: !frame.IsRequest); }
        else { _output.Append(frame.Bytes, frame.Large, isResponse: !frame.IsRequest); }
    }

    /// <summary>Sends the output of the turn.</summary>
    public void Flush()
    {
        if (_lifetime.State == StreamState.Closed) { return; }
        var wasArmed = _output.IsArmed;
        if (!_output.TryFlush())
        {
            Fail();
            return;
        }
        if (_output.IsArmed && !wasArmed)
        {
            (_sendLimits ??= new SendTimeLimits(_lane, _lane.SendTimeout, _connection, _output)).OnArmed();
            Reschedule();
        }
        Turn.Charge();
        if (_lifetime.TryCloseFlushed()) { OnClosed(); }
    }

    public override bool MustAwaitRoom() => _output.IsArmed || Turn.AwaitRoom();

    /// <summary>Called when there may be room for more output. Continues what waits for it.</summary>
    public void OnRoom()
    {
        _input.ResumeIfRoom();
        if (IsClosed || _output.IsArmed) { return; }
        foreach (var follower in Followers) { follower.OnRoom(); }
    }

    public override void FlushMany()
    {
        if (_output.UnsentResponses >= MostCollected) { Flush(); }
    }

    public override bool Defer(CoapMessage message, Action done)
    {
        if (_output.Find(message) is not { } piece) { return false; }
        piece.Done += done;
        return true;
    }

    public override bool TryQueueForTurn(LaneWork work, int bytes)
    {
        if (!_lane.IsShared || Turn is null || _lifetime.State == StreamState.Closed) { return false; }
        Turn.Add(work, bytes);
        return true;
    }

    public override long? SentOf(CoapMessage message) => _output.Find(message) is { } piece ? piece.Size - piece.Left : null;

    public override void LimitSendTime(CoapMessage message)
    {
        if (_sendLimits?.TryLimit(message) == true) { Reschedule(); }
    }

    void IStreamEvents.OnReady() => Turn.Add();

    void IStreamEvents.OnReadable() => _input.OnReadable();

    void IStreamEvents.OnWritable()
    {
        if (_connection.RaisesEventsOnLane) { OnWritableOnLane(); }
        else { _lane.PostHere(_writable ??= new LaneAction(OnWritableOnLane)); }
    }

    /// <summary>Counts a request of the peer and returns the value to pass to <see cref="RequestFinished"/>.</summary>
    public int RequestStarted() => _machine.RequestStarted();

    /// <summary>Ends the count of a request of the peer when it has its response.</summary>
    public void RequestFinished(int generation)
    {
        Apply(_machine.RequestFinished(generation, _lane.Now));
        if (_lifetime.HasPeerEnded && _machine.RequestsInProgress == 0) { End(_lifetime.PeerEndReason); }
        else { _input.ResumeIfRoom(); }
    }

    public void OnDeadline()
    {
        Deadline = long.MaxValue;
        if (_sendLimits is { IsExceeded: true }) { Close(_sendLimits.Describe()); }
        if (_lifetime.TryCloseOverdue()) { OnClosed(); }
        if (_lifetime.State == StreamState.Open) { Apply(_machine.Poll(_lane.Now)); }
        _input.OnDeadline();
        var isDeaf = _machine.RequestsInProgress > 0 && (_lifetime.HasPeerEnded || _input.AwaitsRoom);
        // The peer ignores an Empty message (RFC 8323, section 5.4). If the peer is gone, this or the next write fails.
        if (_lifetime.MustProbe(isDeaf) && _output.Unsent == 0) { Send(new CoapMessage()); }
        Reschedule();
    }

    /// <summary>Schedules the next time limit of the connection, if it is earlier than the scheduled one.</summary>
    /// <remarks>Each message moves the machine's deadline back. When the scheduled one passes, it is compared again.</remarks>
    public void Reschedule()
    {
        if (_lifetime.State == StreamState.Closed) { return; }
        var next = Math.Min(_lifetime.Deadline, _sendLimits?.Deadline ?? long.MaxValue);
        if (!IsClosed) { next = Math.Min(next, Math.Min(_machine.Deadline, _input.Deadline)); }
        if (next >= Deadline) { return; }
        Deadline = next;
        Lane.Schedule(this);
    }

    /// <summary>Ends the connection with a Release (RFC 8323, section 5.5).</summary>
    public void Shutdown(string diagnostic)
    {
        if (_lifetime.State != StreamState.Open) { return; }
        Apply(_machine.Release(_lane.Now, diagnostic: diagnostic));
        End(StreamLifetime.EndpointEnded);
    }

    /// <summary>Closes the connection at once.</summary>
    public void Close(string reason)
    {
        if (_lifetime.TryClose(reason)) { OnClosed(); }
    }

    /// <summary>Closes the connection after a failure of the transport.</summary>
    public void Fail() => Close(_lifetime.FailureReason);

    /// <summary>Ends the connection when the peer has ended its direction of the stream.</summary>
    /// <remarks>The peer may still receive, so the requests that it sent before are answered first.</remarks>
    public void EndByPeer()
    {
        var isAnswered = _machine.RequestsInProgress == 0;
        _lifetime.OnPeerEnded();
        if (isAnswered && _output.Unsent == 0)
        {
            Close(_lifetime.PeerEndReason);
            return;
        }
        FailRequests();
        if (isAnswered) { End(_lifetime.PeerEndReason); }
        else { ProbeLater(); }
    }

    /// <summary>Closes an ending connection when its input has ended or failed; returns <see langword="false"/> if there is more to discard.</summary>
    public bool TryFinish(StreamOutcome outcome)
    {
        if (_lifetime.TryCloseAfter(outcome, out var hasMore)) { OnClosed(); }
        return !hasMore;
    }

    /// <summary>Starts to probe the peer at intervals.</summary>
    public void ProbeLater()
    {
        _lifetime.ProbeLater();
        Reschedule();
    }

    /// <summary>Describes the connection. Any thread.</summary>
    public ChannelDescription Describe() => _lifetime.Describe(_machine);

    public void Dispose() => Close(StreamLifetime.EndpointEnded);

    /// <summary>Returns the error text for a request that is larger than the peer accepts. Any thread.</summary>
    public string DescribeTooLarge(long size) => _capabilities.DescribeTooLarge(size);

    // Counts the work for a message, and sends the collected ones if the message does not fit. Returns false if the connection is closed.
    private bool TryMakeRoom(in Frame frame)
    {
        if (Turn.IsUnread(frame, out _))
        {
            Flush();        // what was added in this turn was not offered to the peer yet
            if (Turn.IsUnread(frame, out var reason))
            {
                Close(reason);
                return false;
            }
        }
        Turn.CountWork(frame);
        if (frame.Large is null && _output.IsFullWith(frame.Bytes.Length)) { Flush(); }
        Turn.ChargeMany();
        return !IsClosed;
    }

    private void OnWritableOnLane()
    {
        if (_lifetime.State == StreamState.Closed) { return; }
        _sendLimits?.OnSent();
        if (_connection.Error is not null)
        {
            Fail();
            return;
        }
        Flush();
        _requests?.OnRoom(this);
        OnRoom();
    }

    // Ends an open connection after its last message: requests fail, the output is sent, and the peer gets time to close.
    private void End(string reason, bool discardsOutput = false)
    {
        if (!_lifetime.TryEnd(reason, discardsOutput)) { return; }
        _input.Drop();
        Reschedule();
        _lane.FlushLater(this);
        FailRequests();
        _lifetime.FireEnded();
    }

    // The state has become Closed.
    private void OnClosed()
    {
        Lane.Unschedule(this);
        // The transport must have stopped reading the memory of callers before they learn that their requests failed.
        _connection.Dispose();
        _output.Abandon();
        _input.Drop();
        Turn?.Leave();
        _lane.Remove(this);
        Turn?.RunWork(isOver: static _ => false);
        FailRequests();
        _lifetime.FireEnded();
    }

    // Fails our requests and everything else that depends on responses of the peer.
    private void FailRequests()
    {
        foreach (var follower in Followers) { follower.OnEnded(); }
        if (_requests is null) { return; }
        var reason = _lifetime.Reason ?? _lifetime.PeerEndReason;
        _requests.FailAll(reason);
        EndUsers(reason);
    }

    // The users would keep a released connection open until the peer aborts it.
    private void EndUsers(string reason)
    {
        foreach (var onEnded in _requests?.Users ?? [])
        {
            RemoveUser(onEnded);
            onEnded(_lifetime.ToError(reason, isUnsent: false));
        }
    }

    // Carries out what the signaling machine has decided (RFC 8323, section 5).
    private void Apply(SignalOutcome outcome)
    {
        switch (outcome)
        {
            case SendSignals signals:
                SendAll(signals.Messages);
                break;
            case CloseConnection close:
                var isAbort = close.Reason == CloseReason.Aborted;
                if (isAbort) { _lane.Metrics[LaneCounters.AbortedConnections]++; }
                SendAll(close.Messages);
                var reason = close.Explanation.TrimEnd('.');      // the error and the log end the sentence
                End(isAbort ? $"{Self} aborted it: {reason}" : reason, discardsOutput: isAbort);
                break;
            case PeerLimitsChanged:
                _capabilities.Update(_machine);
                WithdrawTooLarge();
                _requests?.OnCapabilities(this);
                break;
            case PeerReleased released:
                OnReleased(released);
                break;
            case PeerAborted aborted:
                _lifetime.IsAbort = true;
                Close($"the peer aborted it: {(aborted.Diagnostic.Length > 0 ? aborted.Diagnostic.TrimEnd('.') : "no reason given")}");
                break;
        }
    }

    private void SendAll(IReadOnlyList<CoapMessage> messages)
    {
        foreach (var message in messages) { Send(message); }
    }

    // Sends a message that belongs to no exchange.
    private void Send(CoapMessage message) => _lane.SignalsOut.Emit(new OutgoingMessage(Key, message) { Link = this });

    private void OnReleased(PeerReleased released)
    {
        const string Reason = "the peer released it";
        if (released.AlternativeAddresses.Count > 0 || released.HoldOff is not null)
        {
            _lifetime.Advice = new(released.AlternativeAddresses, released.HoldOff ?? TimeSpan.Zero, _lane.Time.GetTimestamp());
        }
        _lifetime.Retire();
        if (released.CloseNow)
        {
            End(Reason);
            return;
        }
        Reschedule();
        EndUsers(Reason);
    }

    // Withdraws large messages that exceed the peer's new limit, if nothing of them was sent. Requests fail, responses become 5.00.
    private void WithdrawTooLarge()
    {
        foreach (var piece in _output.LargerThan(_capabilities.MaxSize))
        {
            var message = piece.Message!;
            if (!_output.TryWithdraw(piece)) { continue; }
            if (!message.Code.IsRequest) { _lane.LateMessages.Emit(new OutgoingMessage(Key, message) { Link = this }); }
            else if (_lane.Exchanges.TryFind(message.Token, Key, out var owner))
            {
                owner.Fail(new CoapTransportException(DescribeTooLarge(piece.Size)));
            }
        }
    }
}
