using CoAP.Options;

namespace CoAP.Signaling;

/// <content>What arrives.</content>
internal sealed partial class SignalingMachine
{
    /// <summary>A request, a response or an Empty message arrived or was skipped; an Abort where the peer's CSM should have come first.</summary>
    public SignalOutcome Heard(CoapCode code, long now)
    {
        var first = CheckFirst(code);
        if (!_isClosed) { NoteHeard(code, now); }
        return first;
    }

    /// <summary>Aborts where the message is the peer's first and neither a CSM nor one that may always come (RFC 8323, section 5.3).</summary>
    public SignalOutcome CheckFirst(CoapCode code) => MayArrive(code) ? SignalOutcome.Nothing : Abort(NotACsm(code));

    /// <summary>A signal arrived.</summary>
    /// <exception cref="ArgumentException">The message is no signal.</exception>
    public SignalOutcome Receive(CoapMessage signal, long now)
    {
        var code = signal.Code;
        if (!code.IsSignal) { throw new ArgumentException($"A message {code} is no signal.", nameof(signal)); }
        if (_isClosed) { return SignalOutcome.Nothing; }
        if (code == SignalCode.Abort) { return ReceiveAbort(signal); }
        if (!MayArrive(code)) { return CheckFirst(code); }

        NoteHeard(code, now);
        if (FindCritical(signal.Options) is var critical and > 0)
        {
            return Abort($"Option {critical} of signal {code} is critical and not understood.", code == SignalCode.Csm ? critical : null);
        }
        if (code == SignalCode.Csm) { return ReceiveCsm(signal); }
        if (code == SignalCode.Ping) { return _pongs.Answer(signal) is { } pong ? new SendSignals([pong]) : SignalOutcome.Nothing; }
        if (code == SignalCode.Pong) { return ReceivePong(signal, now); }
        return code == SignalCode.Release ? ReceiveRelease(signal, now) : SignalOutcome.Nothing;
    }

    private static string NotACsm(CoapCode code) => $"The first message has to be a CSM (7.01), not {code}.";

    private static int FindCritical(in OptionSet options)
    {
        for (var reader = options.Read(); reader.Next();)
        {
            if (OptionNumber.IsCritical(reader.Number)) { return reader.Number; }
        }
        return 0;
    }

    private bool MayArrive(CoapCode code) => HasPeerCsm || code.IsEmpty || code == SignalCode.Csm || code == SignalCode.Abort;

    private void NoteHeard(CoapCode code, long now)
    {
        _heardAt = now;
        _messageSince = _probedAt = None;
        // The answer to a Ping of ours is no use of the connection, otherwise our own Pings would keep it for ever.
        if (code != SignalCode.Pong) { _activeAt = now; }
    }

    private SignalOutcome ReceiveCsm(CoapMessage csm)
    {
        var limits = _limits.With(csm.Options, out var badOption);
        if (badOption > 0) { return Abort($"The value of option {badOption} cannot be processed.", badOption); }
        var isFirst = !HasPeerCsm;
        var isChange = limits != _limits;
        HasPeerCsm = true;
        _limits = limits;
        return isFirst || isChange ? new PeerLimitsChanged(isFirst) : SignalOutcome.Nothing;
    }

    private SignalOutcome ReceivePong(CoapMessage pong, long now) =>
        _pings.TryTake(pong.Token, out var sentAt)
            ? new PongReceived(pong.Token, TimeSpan.FromTicks(now - sentAt), pong.Options.Get<Custody>() is not null)
            : SignalOutcome.Nothing;

    private PeerReleased ReceiveRelease(CoapMessage release, long now)
    {
        _hasReceivedRelease = true;
        if (_releasedAt == None) { _releasedAt = now; }
        _isClosed = IsIdle;
        var addresses = release.Options.GetAll<AlternativeAddress>().Select(option => option.Value);
        TimeSpan? holdOff = release.Options.Get<HoldOff>() is { } option ? TimeSpan.FromSeconds(option.Value) : null;
        return new PeerReleased([.. addresses], holdOff, SignalMessages.Diagnostic(release), CloseNow: _isClosed);
    }

    private PeerAborted ReceiveAbort(CoapMessage abort)
    {
        _isClosed = true;
        return new PeerAborted(SignalMessages.Diagnostic(abort), (int?)abort.Options.Get<BadCsmOption>()?.Value);
    }
}
