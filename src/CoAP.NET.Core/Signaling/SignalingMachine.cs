using System.Globalization;
using CoAP.Options;
using CoAP.Serialization;

namespace CoAP.Signaling;

// The rules, for both sides of a connection (RFC 8323):
// - The first message of each side is a CSM (5.3). Base values apply until the CSM of the peer has arrived. Any other first message, or none in
//   time, aborts the connection. Empty messages are ignored at all times (3.4). An Abort is accepted even as the first message, because the peer
//   may have rejected our CSM.
// - A later CSM changes only the values that it contains (5.3).
// - A critical option in a signal aborts, because none is registered (5.2); in a CSM the Abort names it. Elective options that are unknown, have
//   the wrong length or are repeated are ignored. A signal with an unassigned code is ignored unless it has a critical option.
// - A Ping is answered immediately; with Custody, after everything that came before it (5.4).
// - A Release ends new requests. The side that receives it closes the connection when all requests are answered. The side that sends it waits
//   for that, for a limited time (5.5).
// - An Abort ends everything (5.6).

/// <summary>The signaling of one connection over a reliable transport, without sockets and clock (RFC 8323, sections 3 to 5).</summary>
/// <remarks>
/// <para>
/// The connection calls <see cref="JudgeLength"/> when a header has arrived, and <see cref="Heard"/> or, for signals, <see cref="Receive"/> when a
/// message is complete or was skipped. It carries out the outcomes. Not safe for concurrent use. All times are ticks of 100 ns.
/// </para>
/// <para>
/// <see cref="Deadline"/> moves back with every message, so it is enough to check it when it passes. <see cref="MessageStarted"/>,
/// <see cref="Receive"/>, <see cref="RequestFinished"/>, <see cref="CallFinished"/> and <see cref="Release"/> can move it forward.
/// </para>
/// </remarks>
internal sealed class SignalingMachine(StreamSettings settings)
{
    private const int PingTokenLength = sizeof(ushort);

    private SignalingTimes _times = new(settings);
    private PendingPongs _pongs;
    private PeerLimits _limits = PeerLimits.Base;
    private ushort _lastPing;
    private int _calls;
    private bool _hasSentRelease;
    private bool _hasReceivedRelease;
    private bool _isClosed;

    public SignalingState State =>
        _isClosed ? SignalingState.Closed
        : _hasSentRelease || _hasReceivedRelease ? SignalingState.Releasing
        : HasPeerCsm ? SignalingState.Open : SignalingState.AwaitingCsm;

    /// <summary>Whether the first CSM of the peer has arrived.</summary>
    public bool HasPeerCsm { get; private set; }

    /// <summary>Whether we may send requests: neither side has sent a Release or an Abort.</summary>
    public bool MayStartRequests => State is SignalingState.AwaitingCsm or SignalingState.Open;

    /// <summary>The largest message that the peer accepts, in bytes with the header. 1,152 until its CSM changes it.</summary>
    public long PeerMaxMessageSize => _limits.MaxMessageSize;

    /// <summary>The longest token that the peer accepts in requests, in bytes. 8 until its CSM changes it.</summary>
    public int PeerMaxTokenLength => _limits.MaxTokenLength;

    /// <summary>Whether the peer supports block-wise transfers.</summary>
    public bool PeerSupportsBlockWise => _limits.SupportsBlockWise;

    /// <summary>Whether the peer supports several blocks in a message (BERT).</summary>
    public bool PeerSupportsBert => _limits.SupportsBert;

    /// <summary>The number of requests of the peer that have not finished.</summary>
    public int RequestsInProgress => _pongs.InProgress;

    /// <summary>The time at which <see cref="Poll"/> has something to do; <see cref="long.MaxValue"/> for never.</summary>
    public long Deadline => _isClosed ? long.MaxValue : _times.Deadline(HasPeerCsm, IsIdle);

    private bool IsIdle => _pongs.InProgress == 0 && _calls == 0;

    /// <summary>Opens the connection and returns our CSM, which must be the first message.</summary>
    public CoapMessage Open(long now)
    {
        _times.Open(now);
        return SignalMessages.Csm(settings);
    }

    /// <summary>Decides about a message of which only the header has arrived. Changes nothing.</summary>
    /// <param name="totalLength">The bytes of the whole message with the header.</param>
    /// <param name="code">The code of the message.</param>
    /// <param name="tokenLength">The length of the token in bytes.</param>
    public FrameVerdict JudgeLength(long totalLength, CoapCode code, int tokenLength = 0)
    {
        if (!MayArrive(code)) { return new FrameVerdict(FrameAction.Abort, NotACsm(code)); }
        // A longer token in a request is a message format error; responses are exempt (RFC 8974, section 2.2.1).
        if (tokenLength > settings.MaxTokenLength && !code.IsResponse)
        {
            return new FrameVerdict(FrameAction.Abort, $"The token has {tokenLength} bytes; at most {settings.MaxTokenLength} are accepted.");
        }
        if (totalLength <= settings.MaxMessageSize) { return new FrameVerdict(FrameAction.Accept); }
        if (totalLength <= settings.EffectiveAbortAboveSize)
        {
            if (code.IsRequest) { return new FrameVerdict(FrameAction.SkipAndAnswerTooLarge); }
            if (code.IsResponse || code.IsEmpty) { return new FrameVerdict(FrameAction.Skip); }
        }
        return new FrameVerdict(FrameAction.Abort, $"The {code} message has {totalLength} bytes; at most {settings.MaxMessageSize} are accepted.");
    }

    /// <summary>Decides whether a message of this size, in bytes with the header, may be sent.</summary>
    public SendVerdict CanSend(long size)
    {
        if (size <= PeerMaxMessageSize) { return SendVerdict.Now; }
        return HasPeerCsm ? SendVerdict.TooLarge : SendVerdict.WaitForCsm;
    }

    /// <summary>The time at which the connection was opened. Safe to read from any thread.</summary>
    public long OpenedAt => _times.OpenedAt;

    /// <summary>The time of the last message of the peer. Safe to read from any thread.</summary>
    public long HeardAt => _times.HeardAt;

    /// <summary>Called when a part of a message has arrived. Only the first call for each message counts.</summary>
    public void MessageStarted(long now) => _times.MessageStarted(now);

    /// <summary>Called when the rest of a message is not read until there is room. The wait has a time limit of its own.</summary>
    public void MessageHeld(long now) => _times.MessageHeld(now);

    /// <summary>Called when a request, a response or an Empty message has arrived or was skipped. Aborts if a CSM should have come first.</summary>
    public SignalOutcome Heard(CoapCode code, long now)
    {
        var first = CheckFirst(code);
        if (!_isClosed) { _times.Heard(code, now); }
        return first;
    }

    /// <summary>Aborts if this message must not be the first one of the peer (RFC 8323, section 5.3).</summary>
    public SignalOutcome CheckFirst(CoapCode code) => MayArrive(code) ? SignalOutcome.Nothing : Abort(NotACsm(code));

    /// <summary>Called when a signal has arrived.</summary>
    /// <exception cref="ArgumentException">The message is not a signal.</exception>
    public SignalOutcome Receive(CoapMessage signal, long now)
    {
        var code = signal.Code;
        if (!code.IsSignal) { throw new ArgumentException($"Code {code} is not a signaling code.", nameof(signal)); }
        if (_isClosed) { return SignalOutcome.Nothing; }
        if (code == SignalCode.Abort) { return ReceiveAbort(signal); }
        if (!MayArrive(code)) { return CheckFirst(code); }

        _times.Heard(code, now);
        if (FindCritical(signal.Options) is var critical and > 0)
        {
            return Abort($"Option {critical} of signal {code} is critical and unknown.", code == SignalCode.Csm ? critical : null);
        }
        if (code == SignalCode.Csm) { return ReceiveCsm(signal); }
        if (code == SignalCode.Ping) { return _pongs.Answer(signal) is { } pong ? new SendSignals([pong]) : SignalOutcome.Nothing; }
        return code == SignalCode.Release ? ReceiveRelease(signal, now) : SignalOutcome.Nothing;
    }

    /// <summary>Called when a request of the peer is passed on. Returns the value that <see cref="RequestFinished"/> needs.</summary>
    public int RequestStarted() => _pongs.Start();

    /// <summary>Called when a request of the peer was answered or will not be answered.</summary>
    public SignalOutcome RequestFinished(int generation, long now)
    {
        var pongs = _pongs.Finish(generation);
        _times.Active(now);
        return Settle(pongs);
    }

    /// <summary>Called when we send a request, or when an observation starts in either direction.</summary>
    public void CallStarted() => _calls++;

    /// <summary>Called when our request has its response or will get none, or when an observation ends.</summary>
    /// <exception cref="InvalidOperationException">No call was started.</exception>
    public SignalOutcome CallFinished(long now)
    {
        if (_calls == 0) { throw new InvalidOperationException("No request of this endpoint is outstanding."); }
        _calls--;
        _times.Active(now);
        return Settle([]);
    }

    /// <summary>Sends a Ping now, as after <see cref="StreamSettings.PingInterval"/>. Does nothing if a Ping is unanswered.</summary>
    public SignalOutcome Probe(long now) => !_isClosed && HasPeerCsm && _times.MayProbe ? Ping(now) : SignalOutcome.Nothing;

    private static string TextOf(TimeSpan time) => string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds} s");

    /// <summary>Does what is due. If it is called late, it does it once.</summary>
    public SignalOutcome Poll(long now)
    {
        if (_isClosed) { return SignalOutcome.Nothing; }
        return _times.Due(now, HasPeerCsm, IsIdle) switch
        {
            SignalingDue.Csm => Abort($"No CSM arrived within {TextOf(settings.CsmTimeout)}."),
            SignalingDue.Message => Abort($"A message was not complete within {TextOf(settings.MessageTimeout)}."),
            SignalingDue.Room => Abort($"There was no room for a message within {TextOf(settings.MessageTimeout)}."),
            SignalingDue.Release => Close([], CloseReason.ReleaseTimedOut, $"The connection did not end within {TextOf(settings.ReleaseTimeout)} after its Release."),
            SignalingDue.Pong => Close([], CloseReason.PingUnanswered, $"The peer was silent for {TextOf(settings.PingTimeout)} after a Ping."),
            SignalingDue.Idle => Release(now),
            SignalingDue.Ping => Ping(now),
            _ => SignalOutcome.Nothing,
        };
    }

    /// <summary>Asks the peer to close the connection in an orderly way. Does nothing if that was done before.</summary>
    public SignalOutcome Release(long now, string diagnostic = "")
    {
        if (_isClosed || _hasSentRelease) { return SignalOutcome.Nothing; }
        _hasSentRelease = true;
        _times.Releasing(now);
        return new SendSignals([SignalMessages.Release(diagnostic, PeerMaxMessageSize)]);
    }

    /// <summary>Ends the connection immediately. Does nothing if it is closed.</summary>
    public SignalOutcome Abort(string diagnostic, int? badCsmOption = null)
    {
        if (_isClosed) { return SignalOutcome.Nothing; }
        return Close([SignalMessages.Abort(diagnostic, badCsmOption, PeerMaxMessageSize)], CloseReason.Aborted, diagnostic);
    }

    private static string NotACsm(CoapCode code) => $"The first message must be a CSM (7.01), not {code}.";

    private static int FindCritical(in OptionSet options)
    {
        for (var reader = options.Read(); reader.Next();)
        {
            if (OptionNumber.IsCritical(reader.Number)) { return reader.Number; }
        }
        return 0;
    }

    private bool MayArrive(CoapCode code) => HasPeerCsm || code.IsEmpty || code == SignalCode.Csm || code == SignalCode.Abort;

    private SendSignals Ping(long now)
    {
        _times.Probed(now);
        return new SendSignals([SignalMessages.Ping(new Token(++_lastPing, PingTokenLength))]);
    }

    private SignalOutcome ReceiveCsm(CoapMessage csm)
    {
        var limits = _limits.With(csm.Options, out var badOption);
        if (badOption > 0) { return Abort($"The value of option {badOption} cannot be processed.", badOption); }
        var isChange = !HasPeerCsm || limits != _limits;
        HasPeerCsm = true;
        _limits = limits;
        return isChange ? new PeerLimitsChanged() : SignalOutcome.Nothing;
    }

    private PeerReleased ReceiveRelease(CoapMessage release, long now)
    {
        _hasReceivedRelease = true;
        _times.Releasing(now);
        _isClosed = IsIdle;
        var addresses = release.Options.GetAll<AlternativeAddress>().Select(option => option.Value);
        TimeSpan? holdOff = release.Options.Get<HoldOff>() is { } option ? TimeSpan.FromSeconds(option.Value) : null;
        return new PeerReleased([.. addresses], holdOff, CloseNow: _isClosed);
    }

    private PeerAborted ReceiveAbort(CoapMessage abort)
    {
        _isClosed = true;
        var diagnostic = SignalMessages.Diagnostic(abort);
        return new PeerAborted(abort.Options.Get<BadCsmOption>() is { } bad ? $"{diagnostic} (Bad-CSM-Option {bad.Value})".TrimStart() : diagnostic);
    }

    private CloseConnection Close(IReadOnlyList<CoapMessage> messages, CloseReason reason, string explanation)
    {
        _isClosed = true;
        return new CloseConnection(messages, reason, explanation);
    }

    // The side that receives a Release closes when it has answered all requests, and may wait for its own (RFC 8323, section 5.5).
    private SignalOutcome Settle(IReadOnlyList<CoapMessage> pongs)
    {
        if (_isClosed) { return SignalOutcome.Nothing; }
        if (_hasReceivedRelease && IsIdle) { return Close(pongs, CloseReason.PeerReleased, "The peer released the connection."); }
        return pongs.Count > 0 ? new SendSignals(pongs) : SignalOutcome.Nothing;
    }
}
