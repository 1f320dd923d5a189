using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Serialization;
using CoAP.Signaling;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>One connection of a reliable transport, as its lane keeps it (RFC 8323).</summary>
/// <remarks>
/// <code>
/// Open ──Abort, Release, error of the peer's──► Ending (what was collected goes out, what comes is discarded) ──► Closed
///  └───end of the stream, failure──────────────────────────────────────────────────────────────────────────────────┘
/// </code>
/// Only the lane uses it; users hold its <see cref="Handle"/>.
/// </remarks>
internal sealed partial class StreamChannel : LaneChannel, IFrameLink, ILaneDeadline
{
    private readonly StreamLane _lane;
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
    private StreamChannelHandle? _handle;
    private volatile bool _hasServed;
    private State _state;

    /// <param name="lane">Where it lives.</param>
    /// <param name="connection">Is the channel's own from now on.</param>
    /// <param name="runsHandlers">See <see cref="RunsHandlers"/>.</param>
    public StreamChannel(StreamLane lane, IStreamConnection connection, bool runsHandlers)
        : base(lane, new ChannelKey(connection.Peer, connection.Local))
    {
        (_lane, _connection, RunsHandlers) = (lane, connection, runsHandlers);
        _signaling = new SignalingMachine(_lane.Stream);
        _input = new MessageFramer(CoapMessageSerializer.Stream, this);
        _output = new StreamOutput(connection, _lane.Budget);
        _end = new StreamEnd(lane, connection, _capabilities);
        _readable = new ReadableWork(this);
    }

    private enum State { Open, Ending, Closed }

    private StreamRequests Requests => _requests ??= new StreamRequests(this, _signaling, _output, _end);

    /// <summary>What users hold of the connection. May be read from any thread.</summary>
    public StreamChannelHandle Handle => _handle ??= new StreamChannelHandle(this);

    public override IFrameLink? Link => this;

    /// <summary>Whether a thread of its own blocks in the connection's reads.</summary>
    public bool IsBlocking => _connection.IsBlocking;

    /// <summary>The limits as known so far: those of RFC 8323 before the peer's first message.</summary>
    public MessageLimits KnownLimits => _capabilities.Limits;

    public PeerIdentity Peer => Key.Peer;

    public PeerIdentity Local => Key.Local;

    /// <summary>What the peer proved about itself when the connection was secured.</summary>
    public PeerCredentials? Credentials => _connection.Credentials;

    public StreamSettings Settings => _lane.Stream;

    public override bool IsClosed => _end.IsClosed;

    /// <inheritdoc cref="StreamEnd.IsUsable"/>
    public override bool IsUsable => _end.IsUsable;

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
    public override bool IsBackedUp => _output.IsArmed;

    /// <summary>Whether the peer has not been given all answers to its requests.</summary>
    public bool HasUnsentAnswers => _output.UnsentAnswers > 0;

    /// <summary>The longest token that the peer takes in requests, in bytes; nothing before its CSM (RFC 8974, section 2.2.1).</summary>
    public int? PeerMaxTokenLength => _capabilities.AreKnown ? _capabilities.MaxTokenLength : null;

    /// <summary>Whether the peer can do block-wise transfers (RFC 8323, section 5.3.2).</summary>
    public override bool PeerSupportsBlockWise => _signaling.PeerSupportsBlockWise;

    /// <summary>Whether the peer takes several blocks in a message (RFC 8323, section 6).</summary>
    public bool PeerSupportsBert => _signaling.PeerSupportsBert;

    public long Deadline { get; private set; } = long.MaxValue;

    public int QueueIndex { get; set; }

    public override MessageLimits? Limits => _capabilities.AreKnown ? _capabilities.Limits : null;

    public override void AwaitLimits(ClientCall call) => Requests.AwaitLimits(call);

    public override void Submit(ClientExchange exchange) => Requests.Submit(exchange);

    public override void Send(UntrackedRequest request) => Requests.Send(request);

    public override void Settle(MessageId messageId)
    {
    }

    public override void Release(ClientExchange exchange)
    {
        if (_requests?.TryFinish(exchange) == true) { Do(_signaling.CallFinished(Lane.Now)); }
    }

    public override bool HasEnded => _end.Reason is not null || _end.HasPeerEnded || !_signaling.MayStartRequests;

    public override void AddUser(IChannelUser user) => Requests.Hold(user);

    public override void RemoveUser(IChannelUser user)
    {
        if (_requests?.TryLetGo(user) == true) { Do(_signaling.CallFinished(Lane.Now)); }
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
        if (!frame.IsRequest && _output.UnsentAnswers > _lane.Stream.MaxUnsentSize)
        {
            _end.Set($"the peer leaves {_output.UnsentAnswers} bytes of answers unread; {_lane.Stream.MaxUnsentSize} may be (StreamSettings.MaxUnsentSize)");
            Dispose();
            return;
        }
        if (_output.Unsent == 0) { _lane.FlushLater(this); }
        if (frame.Large is null) { _output.Append(frame.Bytes.Span, isAnswer: !frame.IsRequest); }
        else { _output.Append(frame.Bytes, frame.Large, isAnswer: !frame.IsRequest); }
    }

    /// <summary>Calls back when the memory of a large message is needed no more; <see langword="false"/> where it is not, or not any more.</summary>
    public override bool Defer(CoapMessage message, Action done)
    {
        if (_output.Find(message) is not { } piece) { return false; }
        piece.Done += done;
        return true;
    }

    /// <summary>Nobody wants the answer to a message that is half written: the rest of it may take a moment, then the connection ends.</summary>
    public override void LimitSendTime(CoapMessage message)
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
}
