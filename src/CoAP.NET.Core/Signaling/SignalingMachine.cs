using CoAP.Serialization;

namespace CoAP.Signaling;

// The rules, for both sides of a connection (RFC 8323):
// - Each side's first message is a CSM (5.3). Until the peer's arrived, base values hold; anything else first, or none in time, aborts.
//   Empty messages are ignored at all times (3.4), and an Abort is obeyed even as the first message: the peer may dislike our CSM.
// - A further CSM changes the values that it carries and no others (5.3).
// - A critical option in a signal aborts, since none is registered (5.2); in a CSM the Abort names it. Elective ones that are unknown, have
//   a wrong length or are one too many are ignored. A signal of an unassigned code has no options that are understood: so it is ignored,
//   unless one of them is critical.
// - A Ping is answered at once, with Custody after what came before it (5.4).
// - A Release ends new requests. Who receives it closes when all is answered; who sends it waits for that, for a limited time (5.5).
// - An Abort ends everything (5.6).

/// <summary>The signaling of one connection over a reliable transport (RFC 8323, sections 3 to 5), without sockets and clock.</summary>
/// <remarks>
/// <para>
/// The connection asks <see cref="JudgeLength"/> when a header is there, tells <see cref="Heard"/> or, for signals, <see cref="Receive"/> when a
/// message is complete or was skipped, and does what the outcomes say. Not safe for concurrent use. All times are ticks of 100 ns.
/// </para>
/// <para>
/// <see cref="Deadline"/> moves back with every message, so it is enough to look again when it passes. It can move forward by
/// <see cref="MessageStarted"/>, <see cref="Receive"/>, <see cref="RequestFinished"/>, <see cref="CallFinished"/> and <see cref="Release"/>.
/// </para>
/// </remarks>
internal sealed partial class SignalingMachine(StreamSettings settings)
{
    private const long Never = long.MaxValue;
    private const long None = long.MinValue;
    private const long Held = Never;

    private PendingPongs _pongs;
    private OutstandingPings _pings;
    private PeerLimits _limits = PeerLimits.Base;
    private long _openedAt;
    private long _heardAt;
    private long _activeAt;
    private long _messageSince = None;
    private long _probedAt = None;
    private long _releasedAt = None;
    private int _calls;
    private bool _hasSentRelease;
    private bool _hasReceivedRelease;
    private bool _isClosed;

    public SignalingState State =>
        _isClosed ? SignalingState.Closed
        : _releasedAt != None ? SignalingState.Releasing
        : HasPeerCsm ? SignalingState.Open : SignalingState.AwaitingCsm;

    /// <summary>Whether the peer's first CSM arrived.</summary>
    public bool HasPeerCsm { get; private set; }

    /// <summary>Whether requests of ours may still be sent: neither side sent a Release or an Abort.</summary>
    public bool MayStartRequests => State is SignalingState.AwaitingCsm or SignalingState.Open;

    /// <summary>The largest message that the peer takes, in bytes with the header; 1,152 until it says otherwise.</summary>
    public long PeerMaxMessageSize => _limits.MaxMessageSize;

    /// <summary>The longest token that the peer takes in requests, in bytes; 8 until it says otherwise.</summary>
    public int PeerMaxTokenLength => _limits.MaxTokenLength;

    /// <summary>Whether the peer said that it can do block-wise transfers.</summary>
    public bool PeerSupportsBlockWise => _limits.SupportsBlockWise;

    /// <summary>Whether the peer said that it can do block-wise transfers with several blocks in a message.</summary>
    public bool PeerSupportsBert => _limits.SupportsBert;

    /// <summary>The peer's requests that have not finished.</summary>
    public int RequestsInProgress => _pongs.InProgress;

    /// <summary>Begins; answers our CSM, which has to be the first message on the connection.</summary>
    public CoapMessage Open(long now)
    {
        _openedAt = _heardAt = _activeAt = now;
        return SignalMessages.Csm(settings);
    }

    /// <summary>What becomes of a message of which only the header is there. Changes nothing.</summary>
    /// <param name="totalLength">The bytes of the whole message, from the first of the header to the last of the payload.</param>
    /// <param name="code">The message's code.</param>
    /// <param name="tokenLength">The length of its token in bytes.</param>
    public FrameVerdict JudgeLength(long totalLength, CoapCode code, int tokenLength = 0)
    {
        if (!MayArrive(code)) { return new FrameVerdict(FrameAction.Abort, NotACsm(code)); }
        // A longer token in a request is a message format error; responses are exempt (RFC 8974, section 2.2.1).
        if (tokenLength > settings.MaxTokenLength && !code.IsResponse)
        {
            return new FrameVerdict(FrameAction.Abort, $"A token of {tokenLength} bytes; at most {settings.MaxTokenLength} are taken.");
        }
        if (totalLength <= settings.MaxMessageSize) { return new FrameVerdict(FrameAction.Accept); }
        if (totalLength <= settings.EffectiveAbortAboveSize)
        {
            if (code.IsRequest) { return new FrameVerdict(FrameAction.SkipAndAnswerTooLarge); }
            if (code.IsResponse || code.IsEmpty) { return new FrameVerdict(FrameAction.Skip); }
        }
        return new FrameVerdict(FrameAction.Abort, $"A message {code} of {totalLength} bytes; at most {settings.MaxMessageSize} are taken.");
    }

    /// <summary>Whether a message of this size, in bytes with the header, may be sent.</summary>
    public SendVerdict CanSend(long size)
    {
        if (size <= PeerMaxMessageSize) { return SendVerdict.Now; }
        return HasPeerCsm ? SendVerdict.TooLarge : SendVerdict.WaitForCsm;
    }

    /// <summary>A part of a message is there. Only the first call for each message counts.</summary>
    public void MessageStarted(long now)
    {
        if (_messageSince is None or Held) { _messageSince = now; }
    }

    /// <summary>A part of a message is there, and the rest is not read until there is room: that is none of the peer's time.</summary>
    public void MessageHeld() => _messageSince = Held;

    /// <summary>A request of the peer's is handed on; answers what <see cref="RequestFinished"/> wants to have.</summary>
    public int RequestStarted() => _pongs.Start();

    /// <summary>A request of the peer's has been answered, or will not be.</summary>
    public SignalOutcome RequestFinished(int generation, long now)
    {
        var pongs = _pongs.Finish(generation);
        _activeAt = now;
        return Settle(pongs);
    }

    /// <summary>A request of ours is on its way, or an observation in either direction begins.</summary>
    public void CallStarted() => _calls++;

    /// <summary>A request of ours has its response, or will have none; an observation ends.</summary>
    /// <exception cref="InvalidOperationException">None was started.</exception>
    public SignalOutcome CallFinished(long now)
    {
        if (_calls == 0) { throw new InvalidOperationException("No request of ours is outstanding."); }
        _calls--;
        _activeAt = now;
        return Settle([]);
    }

    /// <summary>A Ping with a token of its own; <see langword="null"/> where 16 are unanswered or the connection is closed.</summary>
    /// <remarks>How long to wait for the Pong is the caller's to say (RFC 8323, section 5.4).</remarks>
    public CoapMessage? Ping(long now, bool custody = false) =>
        _isClosed || _pings.IsFull ? null : SignalMessages.Ping(_pings.Add(now), custody);

    /// <summary>Asks the peer to end the connection in an orderly way; nothing where that was done already.</summary>
    /// <exception cref="ArgumentOutOfRangeException">An address has less than 1 or more than 255 bytes, or the hold-off is negative or over 16,777,215 seconds.</exception>
    public SignalOutcome Release(long now, IEnumerable<string>? alternativeAddresses = null, TimeSpan? holdOff = null, string diagnostic = "")
    {
        if (_isClosed || _hasSentRelease) { return SignalOutcome.Nothing; }
        var release = SignalMessages.Release(alternativeAddresses ?? [], holdOff, diagnostic, PeerMaxMessageSize);
        _hasSentRelease = true;
        if (_releasedAt == None) { _releasedAt = now; }
        return new SendSignals([release]);
    }

    /// <summary>Ends the connection at once; nothing where it is closed already.</summary>
    public SignalOutcome Abort(string diagnostic, int? badCsmOption = null)
    {
        if (_isClosed) { return SignalOutcome.Nothing; }
        return Close([SignalMessages.Abort(diagnostic, badCsmOption, PeerMaxMessageSize)], CloseReason.Aborted, diagnostic);
    }

    private CloseConnection Close(IReadOnlyList<CoapMessage> messages, CloseReason reason, string explanation)
    {
        _isClosed = true;
        return new CloseConnection(messages, reason, explanation);
    }

    private bool IsIdle => _pongs.InProgress == 0 && _calls == 0;

    // The receiver of a Release closes when it has answered all requests, and may wait for its own (RFC 8323, section 5.5).
    private SignalOutcome Settle(IReadOnlyList<CoapMessage> pongs)
    {
        if (_isClosed) { return SignalOutcome.Nothing; }
        if (_hasReceivedRelease && IsIdle) { return Close(pongs, CloseReason.PeerReleased, "The peer released the connection."); }
        return pongs.Count > 0 ? new SendSignals(pongs) : SignalOutcome.Nothing;
    }
}
