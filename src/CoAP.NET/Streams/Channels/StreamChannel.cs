using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Signaling;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>One connection of a reliable transport on its lane (RFC 8323).</summary>
/// <remarks>
/// The channel sends frames and connects the parts of the connection: <see cref="StreamInput"/> reads, <see cref="StreamOutput"/> holds what is unsent,
/// <see cref="OutgoingRequests"/> are our requests, <see cref="StreamSignals"/> follows the signaling machine, and <see cref="StreamLifetime"/> ends it.
/// Only the lane uses the channel, except for members that are documented as safe for any thread. Users hold its <see cref="Handle"/>.
/// </remarks>
internal sealed class StreamChannel : LaneChannel, IFrameLink, IStreamEvents, ILaneDeadline, IDisposable
{
    private readonly StreamLane _lane;
    private readonly IStreamConnection _connection;
    private readonly SignalingMachine _machine;
    private readonly PeerCapabilities _capabilities = new();
    private readonly StreamOutput _output;
    private readonly StreamLifetime _lifetime;
    private readonly StreamSignals _signals;
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
        _output = new StreamOutput(connection, lane.LargeRequests);
        _lifetime = new StreamLifetime(this, connection, _output, _capabilities);
        _signals = new StreamSignals(lane, this, _machine, _lifetime, _capabilities, _output);
        _input = new StreamInput(lane, this, connection, _machine, _signals, _lifetime, _output);
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

    public override bool HasEnded => _lifetime.Reason is not null || _lifetime.HasPeerEnded || !_machine.MayStartRequests;

    /// <summary>The limits of the peer; the defaults of RFC 8323 before its first CSM.</summary>
    public MessageLimits KnownLimits => _capabilities.Limits;

    public override MessageLimits? Limits => _capabilities.AreKnown ? _capabilities.Limits : null;

    /// <summary>The largest message that the peer accepts, in bytes (RFC 8323, section 5.3.1).</summary>
    public int MaxSendSize => _capabilities.MaxSize;

    /// <summary>The longest token that the peer accepts in requests, in bytes; <see langword="null"/> before its CSM (RFC 8974, section 2.2.1).</summary>
    public int? PeerMaxTokenLength => _capabilities.AreKnown ? _capabilities.MaxTokenLength : null;

    public override bool IsBackedUp => _output.IsArmed;

    /// <summary>Whether responses to the peer's requests are still unsent.</summary>
    public bool HasUnsentResponses => _output.UnsentResponses > 0;

    public long Deadline { get; private set; } = long.MaxValue;

    public int QueueIndex { get; set; }

    /// <summary>The turns of the connection, which it has from the time when it is opened.</summary>
    public ChannelTurn Turn { get; private set; } = null!;

    private OutgoingRequests Requests => _requests ??= new OutgoingRequests(this, _machine, _output, _lifetime);

    /// <summary>Sends our CSM and starts reading.</summary>
    /// <param name="poller">The poller of the lane, if it has one.</param>
    public void Open(ConnectionPoller? poller)
    {
        Turn = new ChannelTurn(_lane, this, _connection, _input, _output);
        if (poller is not null) { _connection.Join(poller); }
        _connection.Attach(this);
        _lifetime.Begin();
        _signals.Open();
        _isOpened = true;
        _lane.Events?.OnOpened(this, static channel => channel, static channel => channel.Describe());
        Reschedule();
        _connection.ArmReceive();
    }

    public override void AwaitLimits(ClientCall call) => Requests.AwaitLimits(call);

    public override void Submit(ClientExchange exchange) => Requests.Submit(exchange);

    public override void Send(UntrackedRequest request) => Requests.Send(request);

    public override void Settle(MessageId messageId) { }

    public override void Release(ClientExchange exchange)
    {
        if (_requests?.TryFinish(exchange) == true) { _signals.OnCallFinished(); }
    }

    public override void AddUser(Action<Exception> onEnded) => Requests.AddUser(onEnded);

    public override void RemoveUser(Action<Exception> onEnded)
    {
        if (_requests?.TryRemoveUser(onEnded) == true) { _signals.OnCallFinished(); }
    }

    public override void Probe()
    {
        if (IsClosed) { return; }
        _signals.Probe();
        Reschedule();
    }

    /// <summary>Handles a signaling message of the peer.</summary>
    public void OnSignal(CoapMessage signal) => _signals.Receive(signal);

    /// <summary>Ends the connection because its bytes are not a message (RFC 8323, section 5.6).</summary>
    public void AbortMalformed(FormatError error) => _signals.Abort(error.Describe() + ".");

    /// <summary>Appends a frame to the output. It is sent at the end of the lane's turn.</summary>
    public void Transmit(in Frame frame)
    {
        if (IsClosed || !Turn.TryMakeRoom(frame)) { return; }
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
            _lifetime.Fail();
            return;
        }
        if (_output.IsArmed && !wasArmed)
        {
            (_sendLimits ??= new SendTimeLimits(_lane, _lane.SendTimeout, _connection, _output)).OnArmed();
            Reschedule();
        }
        Turn.Charge();
        _lifetime.OnFlushed();
    }

    public override bool Defer(CoapMessage message, Action done)
    {
        if (_output.Find(message) is not { } piece) { return false; }
        piece.Done += done;
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
        _signals.OnRequestFinished(generation);
        if (_lifetime.HasPeerEnded && _machine.RequestsInProgress == 0) { _lifetime.End(_lifetime.PeerEndReason); }
        else { _input.ResumeIfRoom(); }
    }

    public void OnDeadline()
    {
        Deadline = long.MaxValue;
        if (_sendLimits is { IsExceeded: true }) { _lifetime.Close(_sendLimits.Describe()); }
        _lifetime.CloseIfOverdue();
        if (_lifetime.State == StreamState.Open) { _signals.OnDeadline(); }
        _input.OnDeadline();
        var isDeaf = _machine.RequestsInProgress > 0 && (_lifetime.HasPeerEnded || _input.AwaitsRoom);
        if (_lifetime.MustProbe(isDeaf) && _output.Unsent == 0) { _signals.SendEmpty(); }
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
    public void Shutdown(string diagnostic) => _signals.Release(diagnostic);

    /// <summary>Describes the connection. Any thread.</summary>
    public ChannelDescription Describe() => _lifetime.Describe(_machine);

    public void Dispose() => _lifetime.Close(StreamLifetime.EndpointEnded);

    /// <summary>Called when the peer's limits are known or have changed.</summary>
    public void OnCapabilities() => _requests?.OnCapabilities();

    /// <summary>Called when the peer has released the connection and requests are in progress.</summary>
    public void OnReleased(string reason)
    {
        Reschedule();
        _requests?.EndUsers(reason);
    }

    /// <summary>Called after the last message was written.</summary>
    public void OnEnding()
    {
        _input.Drop();
        Reschedule();
        _lane.FlushLater(this);
        FailRequests();
    }

    /// <summary>Called when the connection closes.</summary>
    public void OnClosed()
    {
        Lane.Unschedule(this);
        // The transport must have stopped reading the memory of callers before they learn that their requests failed.
        _connection.Dispose();
        _output.Abandon();
        _input.Drop();
        Turn?.Leave();
        _lane.Remove(this);
        FailRequests();
    }

    /// <summary>Fails our requests and everything else that depends on responses of the peer.</summary>
    public void FailRequests()
    {
        foreach (var follower in Followers) { follower.OnEnded(); }
        _requests?.FailAll();
    }

    /// <summary>Returns the error text for a request that is larger than the peer accepts. Any thread.</summary>
    public string DescribeTooLarge(long size) =>
        $"The request is {size} bytes; {Peer} accepts messages of at most {MaxSendSize} bytes (Max-Message-Size, RFC 8323, section 5.3.1).";

    private void OnWritableOnLane()
    {
        if (_lifetime.State == StreamState.Closed) { return; }
        _sendLimits?.OnSent();
        if (_connection.Error is not null)
        {
            _lifetime.Fail();
            return;
        }
        Flush();
        _requests?.OnRoom();
        _input.ResumeIfRoom();
        if (IsClosed || IsBackedUp) { return; }
        foreach (var follower in Followers) { follower.OnRoom(); }
    }
}
