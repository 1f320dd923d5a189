using CoAP.Options;
using CoAP.Serialization;
using CoAP.Signaling;
using CoAP.Transports;

namespace CoAP.Channels;

/// <summary>One connection of a reliable transport, as its lane keeps it, and the hold that handlers and users have on it (RFC 8323).</summary>
/// <remarks>
/// <code>
/// Open ──Abort, Release, error of the peer's──► Ending (what was collected goes out, what comes is discarded) ──► Closed
///  └───end of the stream, failure──────────────────────────────────────────────────────────────────────────────────┘
/// </code>
/// What <see cref="IChannel"/> offers is for any thread, all else is the lane's own.
/// </remarks>
internal sealed partial class StreamChannel : LaneChannel, IStatelessChannel, IObservableChannel, IRequestOrigin, ILaneDeadline
{
    private readonly IStreamLane _lane;
    private readonly IStreamConnection _connection;
    private readonly SignalingMachine _signaling;
    private MessageFramer _input;
    private readonly StreamOutput _output;
    private readonly PeerCapabilities _capabilities = new();
    private readonly StreamEnd _end;
    // Made when they are needed: a server has thousands of connections on which it sends no requests, and no large messages come or go.
    private StreamRequests? _requests;
    private InputShare? _share;
    private SendingWatch? _watch;
    private Func<LaneContext, ChannelKey, LaneChannel>? _itself;
    private volatile bool _hasServed;
    private State _state;

    /// <param name="lane">Where it lives.</param>
    /// <param name="connection">Is the channel's own from now on.</param>
    /// <param name="runsHandlers">See <see cref="RunsHandlers"/>.</param>
    public StreamChannel(LaneContext lane, IStreamConnection connection, bool runsHandlers)
        : base(lane, new ChannelKey(connection.Peer, connection.Local))
    {
        (_lane, _connection, RunsHandlers) = ((IStreamLane)lane, connection, runsHandlers);
        _signaling = new SignalingMachine(lane.Settings.Stream);
        _input = new MessageFramer(CoapMessageSerializer.Stream, this);
        _output = new StreamOutput(connection, _lane.Budget);
        _end = new StreamEnd(lane, connection, _capabilities);
        _readable = new ReadableWork(this);
    }

    private enum State { Open, Ending, Closed }

    private StreamRequests Requests => _requests ??= new StreamRequests(this, _signaling, _output, _end);

    private Func<LaneContext, ChannelKey, LaneChannel> Itself => _itself ??= (_, _) => this;

    public PeerIdentity Peer => Key.Peer;

    public PeerIdentity Local => Key.Local;

    /// <summary>What the peer proved about itself when the connection was secured.</summary>
    public PeerCredentials? Credentials => _connection.Credentials;

    public bool IsReliable => true;

    public bool IsClosed => _end.IsClosed;

    /// <inheritdoc cref="StreamEnd.IsUsable"/>
    public bool IsUsable => _end.IsUsable;

    /// <summary>Whether the peer has ever sent more than signals.</summary>
    public bool HasServed => _hasServed;

    /// <inheritdoc cref="StreamEnd.Life"/>
    public TimeSpan Life => _end.Life;

    /// <inheritdoc cref="StreamEnd.EndedAt"/>
    public long EndedAt => _end.EndedAt;

    /// <summary>What the peer wished when it released the connection; nothing where it wished nothing. Any thread, once the channel is not usable.</summary>
    public Departure? Departure => _end.Departure;

    /// <summary>Why it has ended, once it is not usable.</summary>
    public string EndReason => _end.Reason ?? "the peer released it";

    /// <summary>Whether a thread of its own serves the connection, so that handlers may block it.</summary>
    public bool RunsHandlers { get; }

    /// <summary>The largest message that the peer takes, in bytes (RFC 8323, section 5.3.1).</summary>
    public int MaxSendSize => _capabilities.MaxSize;

    /// <summary>Whether the transport holds bytes until the peer makes room.</summary>
    public bool IsBackedUp => _output.IsArmed;

    /// <summary>Whether the peer has not been given all answers to its requests.</summary>
    public bool HasUnsentAnswers => _output.UnsentAnswers > 0;

    /// <summary>Who wants to know how the connection is. Replaced as a whole, so that followers may leave while they are told.</summary>
    public IStreamFollower[] Followers { get; private set; } = [];

    /// <summary>The longest token that the peer takes in requests, in bytes; nothing before its CSM (RFC 8974, section 2.2.1).</summary>
    public int? PeerMaxTokenLength => _capabilities.AreKnown ? _capabilities.MaxTokenLength : null;

    /// <summary>Whether the peer can do block-wise transfers (RFC 8323, section 5.3.2).</summary>
    public bool PeerSupportsBlockWise => _signaling.PeerSupportsBlockWise;

    /// <summary>Whether the peer takes several blocks in a message (RFC 8323, section 6).</summary>
    public bool PeerSupportsBert => _signaling.PeerSupportsBert;

    public long Deadline { get; private set; } = long.MaxValue;

    public int QueueIndex { get; set; }

    /// <summary>The follower of a kind, of which there is one at most.</summary>
    public T? FollowerOf<T>() where T : class, IStreamFollower
    {
        foreach (var follower in Followers)
        {
            if (follower is T found) { return found; }
        }
        return null;
    }

    public void Follow(IStreamFollower follower) => Followers = [.. Followers, follower];

    public void Unfollow(IStreamFollower follower) => Followers = [.. Followers.Where(other => other != follower)];

    public async ValueTask<CoapResponse> SendAsync(CoapRequest request, CancellationToken cancellationToken = default)
    {
        return await Begin(request, parked: false, cancellationToken).WaitAsync().ConfigureAwait(false);
    }

    public CoapResponse Send(CoapRequest request, CancellationToken cancellationToken = default)
    {
        Lane.ThrowIfOwnedByCaller();
        return Begin(request, parked: true, cancellationToken).Park();
    }

    public async ValueTask<Delivery> SendAndForgetAsync(CoapRequest request, CancellationToken cancellationToken = default)
    {
        var call = Begin(request, parked: false, cancellationToken, forgets: true);
        return ClientCall.ToDelivery(await call.Caller.Task.ConfigureAwait(false), acknowledges: false);
    }

    public Delivery SendAndForget(CoapRequest request, CancellationToken cancellationToken = default)
    {
        Lane.ThrowIfOwnedByCaller();
        return ClientCall.ToDelivery(Begin(request, parked: true, cancellationToken, forgets: true).Caller.Park(), acknowledges: false);
    }

    public CoapObservation ObserveAsync(CoapRequest request, CancellationToken cancellationToken = default) =>
        new(CoapObservation.Checked(request), new ChannelObservationHome(this, request), Lane.Settings, null, null, cancellationToken);

    public BlockingObservation Observe(CoapRequest request, CancellationToken cancellationToken = default) => new(ObserveAsync(request, cancellationToken));

    public PendingResponse SendStateless(CoapRequest request, StatelessTokens tokens, ReadOnlyMemory<byte> state, bool parked)
    {
        if (parked) { Lane.ThrowIfOwnedByCaller(); }
        var stateless = new StatelessRequest(Lane, Key, request, RequestOptions.Of(request, Key.Peer), tokens, state, parked, Itself);
        if (stateless.Size > MaxSendSize) { throw new ArgumentException(TooLarge(stateless.Size), nameof(request)); }
        Lane.Post(stateless);
        return stateless.Caller;
    }

    public LaneObservation Bind(CoapRequest request, ObservationLink link)
    {
        var options = RequestOptions.Of(request, Key.Peer);
        var size = StreamRequests.SizeOf(request.Payload, options.With(new Observe(1)));
        if (_capabilities.AreKnown && size > MaxSendSize) { throw new ArgumentException(TooLarge(size), nameof(request)); }
        return new LaneObservation(Lane, Key, request, options, link, Itself);
    }

    IChannel IRequestOrigin.OpenChannel(ReceivedRequest request) => this;

    // A reliable transport acknowledges by itself (RFC 8323, section 3.1).
    void IRequestOrigin.Acknowledge(ReceivedRequest request)
    {
    }

    public override MessageLimits? Limits => _capabilities.AreKnown ? _capabilities.Limits : null;

    public override void AwaitLimits(ClientCall call) => Requests.AwaitLimits(call);

    public override void Submit(ClientExchange exchange) => Requests.Submit(exchange);

    public override void SendStateless(StatelessRequest request) => Requests.Send(request);

    public override void Settle(MessageId messageId)
    {
    }

    public override void Release(ClientExchange exchange)
    {
        if (_requests?.TryFinish(exchange) == true) { Do(_signaling.CallFinished(Lane.Now)); }
    }

    public override bool HasEnded => _end.Reason is not null || _end.HasPeerEnded || !_signaling.MayStartRequests;

    public override void Hold(IChannelGuest guest) => Requests.Hold(guest);

    public override void LetGo(IChannelGuest guest)
    {
        if (_requests?.TryLetGo(guest) == true) { Do(_signaling.CallFinished(Lane.Now)); }
    }

    public override void Probe()
    {
        if (_state != State.Open) { return; }
        Do(_signaling.Probe(Lane.Now));
        WatchTime();
    }

    /// <summary>Appends a message; it goes out at the end of the turn.</summary>
    public void Transmit(in Frame frame)
    {
        if (_state == State.Closed || _hasSaidLast) { return; }
        if (!frame.IsRequest && _output.UnsentAnswers > Lane.Settings.Stream.MaxUnsentSize)
        {
            _end.Set($"the peer leaves {_output.UnsentAnswers} bytes of answers unread; {Lane.Settings.Stream.MaxUnsentSize} may be (StreamSettings.MaxUnsentSize)");
            Dispose();
            return;
        }
        if (_output.Unsent == 0) { _lane.FlushLater(this); }
        if (frame.Large is null) { _output.Append(frame.Bytes.Span, isAnswer: !frame.IsRequest); }
        else { _output.Append(frame.Bytes, frame.Large, isAnswer: !frame.IsRequest); }
    }

    /// <summary>Calls back when the memory of a large message is needed no more; <see langword="false"/> where it is not, or not any more.</summary>
    public bool Defer(CoapMessage message, Action done)
    {
        if (_output.Find(message) is not { } piece) { return false; }
        piece.Done += done;
        return true;
    }

    /// <summary>Nobody wants the answer to a message that is half written: the rest of it may take a moment, then the connection ends.</summary>
    public void Hurry(CoapMessage message)
    {
        if (_watch?.TryHurry(message) == true) { WatchTime(); }
    }

    /// <summary>A request of the peer's is handed on; answers what <see cref="RequestFinished"/> wants to have.</summary>
    public int RequestStarted() => _signaling.RequestStarted();

    /// <summary>A request of the peer's has its answer.</summary>
    public void RequestFinished(int generation)
    {
        Do(_signaling.RequestFinished(generation, Lane.Now));
        if (_end.HasPeerEnded && _signaling.RequestsInProgress == 0) { End(_end.ByPeer); }
        else { ResumeIfRoom(); }
    }

    /// <summary>What is said of a request of ours that is larger than the peer takes. Any thread.</summary>
    public string TooLarge(long size) => $"The request is {size} bytes; {Peer} takes messages of at most {MaxSendSize} (Max-Message-Size, RFC 8323, section 5.3.1).";

    private ClientCall Begin(CoapRequest request, bool parked, CancellationToken cancellationToken, bool forgets = false)
    {
        ArgumentNullException.ThrowIfNull(request);
        cancellationToken.ThrowIfCancellationRequested();
        var options = forgets ? RequestOptions.Forgetting(RequestOptions.Of(request, Key.Peer)) : RequestOptions.Of(request, Key.Peer);
        var call = new ClientCall(Lane, Key, request, options, parked, Itself) { IsForgotten = forgets };
        if (_capabilities.AreKnown || (request.Body is null && StreamRequests.SizeOf(request.Payload, options) <= MaxSendSize)) { call.PlanFor(_capabilities.Limits); }
        call.CancelOn(cancellationToken);
        // To write may block where the connection has a thread, and only a caller who parks may be held.
        if (parked || !_connection.IsBlocking) { Lane.PostRequest(call); }
        else { Lane.Post(call); }
        return call;
    }
}
