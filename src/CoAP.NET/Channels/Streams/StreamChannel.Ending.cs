using CoAP.Serialization;
using CoAP.Signaling;

namespace CoAP.Channels;

/// <content>Signals, time, and the ways in which a connection ends.</content>
internal sealed partial class StreamChannel : IDisposable
{
    // Closing at once would answer the peer's last bytes with a TCP reset, which may overtake our last word.
    private static readonly long LingerTime = TimeSpan.FromSeconds(1).Ticks;

    private static readonly List<ClientExchange> NoExchanges = [];
    private static readonly List<ClientCall> NoCalls = [];

    private string PeerEnded => _connection.EndReason is { } reason ? $"the peer closed it with {reason}" : "the peer closed it";

    private string? _ended;
    private bool _wasAborted;
    private bool _hasPeerEnded;
    private bool _hasSaidLast;      // what was collected is all that goes out
    private bool _isHalfClosed;
    private bool _cutsShort;        // what the peer does not read at once is lost
    private long _lingerUntil = long.MaxValue;

    /// <summary>What the peer wished when it released the connection; nothing where it wished nothing. Any thread, once the channel is not usable.</summary>
    public Departure? Departure { get; private set; }

    /// <summary>A signal of the peer's.</summary>
    public void OnSignal(CoapMessage signal)
    {
        if (_state == State.Open) { Do(_signaling.Receive(signal, Lane.Now)); }
    }

    /// <summary>Ends the connection because its bytes make no sense (RFC 8323, section 5.6).</summary>
    public void AbortMalformed(FormatError error) => Do(_signaling.Abort(error.Describe() + "."));

    /// <summary>Ends the connection in an orderly way: a Release, and then the end of what we send (RFC 8323, section 5.5).</summary>
    public void EndOrderly(string diagnostic)
    {
        if (_state != State.Open) { return; }
        Do(_signaling.Release(Lane.Now, diagnostic: diagnostic));
        End("the endpoint has ended");
    }

    public void OnDeadline()
    {
        Deadline = long.MaxValue;
        if (IsStalled) { OnStalled(); }
        if (_state == State.Ending && Lane.Now >= _lingerUntil && !GoesOnLingering())
        {
            Dispose();
            return;
        }
        if (_state == State.Closed) { return; }
        if (_state == State.Open) { Do(_signaling.Poll(Lane.Now)); }
        WatchTime();
    }

    /// <summary>Sends what the turn has collected.</summary>
    public void Flush()
    {
        if (_state == State.Closed) { return; }
        var wasArmed = _output.IsArmed;
        if (!_output.TryFlush())
        {
            OnBroken();
            return;
        }
        if (_output.IsArmed && !wasArmed) { WatchPeer(); }
        if (_hasSaidLast && !_isHalfClosed && _output.Unsent == 0)
        {
            _isHalfClosed = true;
            _connection.EndSending();
            if (_hasPeerEnded) { Dispose(); }
        }
    }

    /// <summary>Ends the call in which a thread of its own waits for the peer, and the connection with it. Any thread.</summary>
    public void Cut()
    {
        if (_connection.IsBlocking) { _connection.Dispose(); }
    }

    /// <summary>Closes at once.</summary>
    public void Dispose()
    {
        if (_state == State.Closed) { return; }
        SetEnded("the endpoint has ended");
        _state = State.Closed;
        Lane.Unschedule(this);
        // Nothing is sent from the memory of callers any more when they are told.
        _connection.Dispose();
        _output.Abandon();
        Drop();
        _lane.Remove(this);
        FailExchanges();
    }

    private void OnWritableOnLane()
    {
        if (_state == State.Closed) { return; }
        OnSlice();
        if (_connection.Error is not null)
        {
            OnBroken();
            return;
        }
        Flush();
        SubmitWaiting();
        ResumeIfRoom();
        if (_state != State.Open || IsBackedUp) { return; }
        foreach (var follower in Followers) { follower.OnRoom(); }
    }

    private void Do(SignalOutcome outcome)
    {
        switch (outcome)
        {
            case SendSignals signals:
                Send(signals.Messages);
                break;
            case CloseConnection close:
                if (close.Reason == CloseReason.Aborted) { Lane.Metrics.AbortedConnections++; }
                Send(close.Messages);
                _cutsShort = close.Reason == CloseReason.Aborted;
                End(close.Reason == CloseReason.Aborted ? $"it was aborted: {close.Explanation}" : close.Explanation);
                break;
            case PeerLimitsChanged:
                _maxSendSize = (int)Math.Min(_signaling.PeerMaxMessageSize, Array.MaxLength);
                _peerMaxTokenLength = _signaling.PeerMaxTokenLength;
                _supportsBert = _signaling.PeerSupportsBert;
                _hasPeerCsm = true;
                TakeBackTooLarge();
                StartWaiting();
                SubmitWaiting();
                break;
            case PeerReleased released:
                if (released.AlternativeAddresses.Count > 0 || released.HoldOff is not null)
                {
                    Departure = new(released.AlternativeAddresses, released.HoldOff ?? TimeSpan.Zero, Lane.Settings.TimeProvider.GetTimestamp());
                }
                BeOfNoUse();
                if (released.CloseNow) { End("the peer released it"); }
                else
                {
                    WatchTime();
                    AskGuestsToLeave("the peer released it");
                }
                break;
            case PeerAborted aborted:
                _wasAborted = true;
                SetEnded($"the peer aborted it: {Or(aborted.Diagnostic, "no reason given")}");
                Dispose();
                break;
        }
    }

    private static string Or(string text, string otherwise) => text.Length > 0 ? text : otherwise;

    private void Send(IReadOnlyList<CoapMessage> signals)
    {
        foreach (var signal in signals) { SendSignal(signal); }
    }

    private void SendSignal(CoapMessage signal) => Lane.Send(new OutgoingMessage(Key, signal) { Stream = this });

    private void StartWaiting()
    {
        // Thousands of connections have nothing that waits: they make no lists of it.
        var (waiting, calls) = (_awaitCsm, _awaitLimits);
        (_awaitCsm, _awaitLimits) = (null, null);
        foreach (var exchange in waiting ?? NoExchanges)
        {
            _exchanges?.Remove(exchange);
            Submit(exchange);
        }
        foreach (var call in calls ?? NoCalls) { call.Run(); }
    }

    /// <summary>Our last word was said: what is outstanding fails, what was collected goes out, and the peer has a moment to close.</summary>
    private void End(string reason)
    {
        if (_state != State.Open) { return; }
        SetEnded(reason);
        _state = State.Ending;
        _hasSaidLast = true;
        Drop();
        _lingerUntil = Lane.Now + LingerTime;
        WatchTime();
        _lane.FlushLater(this);
        FailExchanges();
    }

    // The peer may only have ended its own direction: the requests it sent before are answered first.
    private void OnPeerEnded()
    {
        if (_state != State.Open) { Dispose(); }
        _hasPeerEnded = true;
        BeOfNoUse();
        if (_state == State.Closed) { return; }
        if (_signaling.RequestsInProgress == 0 && _output.Unsent == 0)
        {
            SetEnded(PeerEnded);
            Dispose();
            return;
        }
        FailExchanges();
        if (_signaling.RequestsInProgress == 0) { End(PeerEnded); }
    }

    private void OnBroken()
    {
        SetEnded($"the network failed: {_connection.Error?.Message ?? "the transport gave no reason"}");
        Dispose();
    }

    private void SetEnded(string reason)
    {
        if (_ended is not null) { return; }
        _ended = reason;
        BeOfNoUse();
        _isClosed = true;
        Log.ConnectionEnded(Lane.Logger, Peer, reason);
    }

    private void BeOfNoUse()
    {
        if (_isReleased) { return; }
        Life = TimeSpan.FromTicks(Lane.Now - _openedAt);
        EndedAt = Lane.Settings.TimeProvider.GetTimestamp();
        _isReleased = true;
    }

    private void FailExchanges()
    {
        foreach (var follower in Followers) { follower.OnEnded(); }
        var (failing, calls) = (_exchanges, _awaitLimits);
        (_awaitCsm, _awaitRoom, _exchanges, _awaitLimits) = (null, null, null, null);
        if (failing is not null)
        {
            foreach (var exchange in failing) { exchange.Fail(EndedBy(_ended ?? PeerEnded, isUnsent: false)); }
        }
        foreach (var call in calls ?? NoCalls) { call.Fail(EndedBy(_ended ?? PeerEnded, isUnsent: true)); }
        AskGuestsToLeave(_ended ?? PeerEnded);
    }

    // After a Release they would keep the connection open until the peer loses its patience.
    private void AskGuestsToLeave(string reason)
    {
        if (_guests is null) { return; }
        IChannelGuest[] leaving = [.. _guests];
        foreach (var guest in leaving)
        {
            LetGo(guest);
            guest.OnChannelEnded(EndedBy(reason, isUnsent: false));
        }
    }

    private CoapTransportException EndedBy(string reason, bool isUnsent) =>
        new($"The connection to {Peer} has ended: {reason}.") { IsAbort = _wasAborted, IsUnsent = isUnsent };

    // The machine's deadline moves back with every message; here it is looked at again when it passes.
    private void WatchTime()
    {
        var next = Math.Min(_state == State.Open ? _signaling.Deadline : _lingerUntil, StallDeadline);
        if (next >= Deadline) { return; }
        Deadline = next;
        Lane.Schedule(this);
    }
}
