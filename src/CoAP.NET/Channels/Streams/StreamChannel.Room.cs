using CoAP.Signaling;
using CoAP.Transports;

namespace CoAP.Channels;

/// <content>How much may be under way: what waits for the peer to read, and what of a message is kept until it is whole.</content>
/// <remarks>
/// A large message that waits in the output may be taken back until its first byte is on its way. From then on it is written to its end, because nothing
/// else makes sense to the peer; where nobody wants it any more and that takes too long, the connection ends.
/// </remarks>
internal sealed partial class StreamChannel : IBudgetWaiter
{
    // A slice of 256 KiB that takes longer is made smaller, so that slow peers are seen to read.
    private static readonly long SlowSlice = TimeSpan.FromSeconds(2).Ticks;

    // What is left of a message that nobody wants any more; a new connection is cheaper than what takes longer.
    private static readonly long HurryTime = TimeSpan.FromSeconds(2).Ticks;

    private List<ClientExchange>? _awaitRoom;
    private long _armedAt;
    private long _hurryUntil = long.MaxValue;
    private CoapMessage? _hurried;
    private long _reserved;
    private bool _isWhole;          // what is reserved was taken, not only counted
    private bool _waitsForBudget;
    private long _asked;

    // A connection that waits by itself has a time-out of its own for each call.
    private long StallDeadline => _output.IsArmed
        ? Math.Min(_connection.IsBlocking ? long.MaxValue : _armedAt + Lane.Settings.Tcp.SendTimeout.Ticks, _hurryUntil) : long.MaxValue;

    /// <summary>Whether the peer has not been given all answers to its requests.</summary>
    public bool HasUnsentAnswers => _output.UnsentAnswers > 0;

    private bool IsStalled => _state != State.Closed && Lane.Now >= StallDeadline;

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
        if (_output.Find(message) is not { HasBegun: true }) { return; }
        (_hurried, _hurryUntil) = (message, Lane.Now + HurryTime);
        WatchTime();
    }

    bool IFrameConsumer.MayKeep(int size, bool isWhole)
    {
        var more = size - _reserved;
        if (_isWhole && more <= 0) { return true; }
        if (!isWhole) { _lane.Budget.Add(more); }
        else if (_lane.Budget.TryTake(more, this)) { _isWhole = true; }
        else
        {
            (_waitsForBudget, _asked) = (true, more);
            return false;
        }
        _reserved = size;
        return true;
    }

    // Any thread.
    void IBudgetWaiter.OnGranted() => Lane.Post(new Granted(this));

    private void OnGrantedOnLane()
    {
        if (!_waitsForBudget)
        {
            _lane.Budget.GiveBack(_asked);
            return;
        }
        (_waitsForBudget, _isWhole) = (false, true);
        _reserved += _asked;
        ResumeIfRoom();
    }

    /// <summary>What is kept of a message that is not whole is given up, and what waits to be cut as well.</summary>
    private void Drop()
    {
        if (_waitsForBudget && _lane.Budget.TryForget(this)) { _asked = 0; }
        _waitsForBudget = false;
        GiveBack();
        _input.Forget();
        _uncut = [];
    }

    private void GiveBack()
    {
        if (_reserved == 0) { return; }
        if (_isWhole) { _lane.Budget.GiveBack(_reserved); }
        else { _lane.Budget.Remove(_reserved); }
        (_reserved, _isWhole) = (0, false);
    }

    private bool HasRoomToSend(long size) =>
        _output.Unsent is var unsent && (unsent == 0 || unsent + size <= Lane.Settings.Stream.MaxUnsentSize);

    private bool IsLarge(ClientExchange exchange) => exchange.Payload.Length >= Lane.Settings.Stream.LargeMessageSize;

    private void StartOrWait(ClientExchange exchange, long size)
    {
        if (_awaitRoom is not { Count: > 0 } && HasRoomToSend(size)) { StartOrRefuse(exchange, size); }
        else if ((_awaitRoom ??= []).Count < Lane.Settings.MaxQueuedRequests)
        {
            (_exchanges ??= []).Add(exchange);
            _awaitRoom.Add(exchange);
        }
        else { exchange.Fail(NoRoom()); }
    }

    private CoapBusyException NoRoom() => new(
        $"{_output.Unsent} bytes wait for {Peer}; {Lane.Settings.Stream.MaxUnsentSize} may (StreamSettings.MaxUnsentSize), and {_awaitRoom?.Count ?? 0} requests behind them "
        + $"({nameof(CoapEndpointSettings.MaxQueuedRequests)} is {Lane.Settings.MaxQueuedRequests}).");

    private void StartOrRefuse(ClientExchange exchange, long size)
    {
        var budget = _lane.Budget;
        if (!IsLarge(exchange) || budget.HasRoomFor(size)) { Start(exchange); }
        else
        {
            exchange.Fail(new CoapBusyException(
                $"The request is {size} bytes, and {budget.Used} are in flight on all connections; {budget.Limit} may be ({nameof(CoapEndpointSettings.MaxInFlightSize)})."));
        }
    }

    /// <summary>Starts what waits for room, in order, as far as there is some.</summary>
    private void SubmitWaiting()
    {
        while (_awaitRoom is { Count: > 0 } waiting)
        {
            var exchange = waiting[0];
            var size = SizeOf(exchange.Payload, exchange.Options);
            var verdict = _signaling.CanSend(size);
            if (verdict == SendVerdict.Now && !HasEnded && !HasRoomToSend(size)) { return; }
            waiting.RemoveAt(0);
            _exchanges?.Remove(exchange);
            if (HasEnded) { exchange.Fail(EndedBy(_ended ?? "it was released (RFC 8323, section 5.5)", isUnsent: true)); }
            else if (verdict == SendVerdict.Now) { StartOrRefuse(exchange, size); }
            else { exchange.Fail(new CoapTransportException(TooLarge(size))); }
        }
    }

    /// <summary>Large messages that the peer does not take any more and that it has seen nothing of: requests fail, answers become 5.00.</summary>
    private void TakeBackTooLarge()
    {
        foreach (var piece in _output.LargerThan(_maxSendSize))
        {
            var message = piece.Message!;
            if (!_output.TryWithdraw(piece)) { continue; }
            if (!message.Code.IsRequest) { Lane.Send(new OutgoingMessage(Key, message) { Stream = this }); }
            else if (Lane.Exchanges.TryFind(message.Token, Key, out var owner)) { owner.Fail(new CoapTransportException(TooLarge(piece.Size))); }
        }
    }

    private void Withdraw(ClientExchange exchange)
    {
        if (IsLarge(exchange) && exchange.Message is { } message && _output.Find(message) is { } piece) { _output.TryWithdraw(piece); }
    }

    private void WatchPeer()
    {
        _armedAt = Lane.Now;
        WatchTime();
    }

    private void OnSlice()
    {
        _output.OnSent(wasSlow: Lane.Now - _armedAt > SlowSlice);
        if (_hurried is null || _output.Find(_hurried) is not null) { return; }
        (_hurried, _hurryUntil) = (null, long.MaxValue);
    }

    private void OnStalled()
    {
        SetEnded(Lane.Now >= _hurryUntil
            ? "a request was given up in the middle of its message"
            : $"the peer has taken nothing for {Lane.Settings.Tcp.SendTimeout} (TcpSettings.SendTimeout), and {_output.Unsent} bytes wait for it");
        Dispose();
    }

    // Who has sent its last request and now reads a long answer is not cut off in the middle.
    private bool GoesOnLingering()
    {
        if (_cutsShort || _output.Unsent == 0) { return false; }
        _lingerUntil = Lane.Now + LingerTime;
        return true;
    }

    private sealed class Granted(StreamChannel channel) : LaneWork
    {
        public override void Run() => channel.OnGrantedOnLane();

        public override void Abandon() => channel._lane.Budget.GiveBack(channel._asked);
    }
}
