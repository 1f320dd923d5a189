using CoAP.Signaling;

namespace CoAP.Streams;

/// <content>Signals, time, and the ways in which a connection ends.</content>
internal sealed partial class StreamChannel : IDisposable
{
    // Closing at once would answer the peer's last bytes with a TCP reset, which may overtake our last word.
    private static readonly long LingerTime = TimeSpan.FromSeconds(1).Ticks;

    private bool _hasSaidLast;      // what was collected is all that goes out
    private bool _isHalfClosed;
    private bool _cutsShort;        // what the peer does not read at once is lost
    private long _lingerUntil = long.MaxValue;

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
        if (_state != State.Closed && _watch is { IsOver: true })
        {
            _end.Set(_watch.Verdict);
            Dispose();
        }
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
        if (_output.IsArmed && !wasArmed)
        {
            (_watch ??= new SendingWatch(_lane, _connection, _output)).OnArmed();
            WatchTime();
        }
        if (_hasSaidLast && !_isHalfClosed && _output.Unsent == 0)
        {
            _isHalfClosed = true;
            _connection.EndSending();
            if (_end.HasPeerEnded) { Dispose(); }
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
        _end.Set("the endpoint has ended");
        _state = State.Closed;
        Lane.Unschedule(this);
        // Nothing is sent from the memory of callers any more when they are told.
        _connection.Dispose();
        _output.Abandon();
        Drop();
        _lane.Remove(this);
        FailRequests();
    }

    private void OnWritableOnLane()
    {
        if (_state == State.Closed) { return; }
        _watch?.OnSent();
        if (_connection.Error is not null)
        {
            OnBroken();
            return;
        }
        Flush();
        _requests?.OnRoom();
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
                End(close.Reason == CloseReason.Aborted ? $"it was aborted: {close.Explanation.TrimEnd('.')}" : close.Explanation);
                break;
            case PeerLimitsChanged:
                _capabilities.Take(_signaling);
                TakeBackTooLarge();
                _requests?.OnCapabilities();
                break;
            case PeerReleased released:
                if (released.AlternativeAddresses.Count > 0 || released.HoldOff is not null)
                {
                    _end.Departure = new(released.AlternativeAddresses, released.HoldOff ?? TimeSpan.Zero, Lane.Time.GetTimestamp());
                }
                _end.BeOfNoUse();
                if (released.CloseNow) { End("the peer released it"); }
                else
                {
                    WatchTime();
                    _requests?.AskGuestsToLeave("the peer released it");
                }
                break;
            case PeerAborted aborted:
                _end.IsAbort = true;
                _end.Set($"the peer aborted it: {Or(aborted.Diagnostic, "no reason given")}");
                Dispose();
                break;
        }
    }

    /// <summary>Large messages that the peer does not take any more and that it has seen nothing of: requests fail, answers become 5.00.</summary>
    private void TakeBackTooLarge()
    {
        foreach (var piece in _output.LargerThan(MaxSendSize))
        {
            var message = piece.Message!;
            if (!_output.TryWithdraw(piece)) { continue; }
            if (!message.Code.IsRequest) { Lane.LateMessages.Emit(new OutgoingMessage(Key, message) { Link = this }); }
            else if (Lane.Exchanges.TryFind(message.Token, Key, out var owner)) { owner.Fail(new CoapTransportException(TooLarge(piece.Size))); }
        }
    }

    private static string Or(string text, string otherwise) => text.Length > 0 ? text : otherwise;

    private void Send(IReadOnlyList<CoapMessage> signals)
    {
        foreach (var signal in signals) { SendSignal(signal); }
    }

    private void SendSignal(CoapMessage signal) => _lane.SignalsOut.Emit(new OutgoingMessage(Key, signal) { Link = this });

    /// <summary>Our last word was said: what is outstanding fails, what was collected goes out, and the peer has a moment to close.</summary>
    private void End(string reason)
    {
        if (_state != State.Open) { return; }
        _end.Set(reason);
        _state = State.Ending;
        _hasSaidLast = true;
        Drop();
        _lingerUntil = Lane.Now + LingerTime;
        WatchTime();
        _lane.FlushLater(this);
        FailRequests();
    }

    // The peer may only have ended its own direction: the requests it sent before are answered first.
    private void OnPeerEnded()
    {
        if (_state != State.Open) { Dispose(); }
        _end.HasPeerEnded = true;
        _end.BeOfNoUse();
        if (_state == State.Closed) { return; }
        if (_signaling.RequestsInProgress == 0 && _output.Unsent == 0)
        {
            _end.Set(_end.ByPeer);
            Dispose();
            return;
        }
        FailRequests();
        if (_signaling.RequestsInProgress == 0) { End(_end.ByPeer); }
    }

    private void OnBroken()
    {
        _end.Set($"the network failed: {_connection.Error?.Message ?? "the transport gave no reason"}");
        Dispose();
    }

    private void FailRequests()
    {
        foreach (var follower in Followers) { follower.OnEnded(); }
        _requests?.FailAll();
    }

    // Who has sent its last request and now reads a long answer is not cut off in the middle.
    private bool GoesOnLingering()
    {
        if (_cutsShort || _output.Unsent == 0) { return false; }
        _lingerUntil = Lane.Now + LingerTime;
        return true;
    }

    /// <summary>What is kept of a message that is not whole is given up, and what waits to be cut as well.</summary>
    private void Drop()
    {
        _share?.GiveUp();
        _input.Forget();
        _uncut = [];
    }

    // The machine's deadline moves back with every message; here it is looked at again when it passes.
    private void WatchTime()
    {
        var next = Math.Min(_state == State.Open ? _signaling.Deadline : _lingerUntil, _watch?.Deadline ?? long.MaxValue);
        if (next >= Deadline) { return; }
        Deadline = next;
        Lane.Schedule(this);
    }
}
