using CoAP.Accounting;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Serialization;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>The charge for the received bytes of one connection that cannot be processed yet: an incomplete message, and bytes that were read ahead.</summary>
/// <param name="lane">The lane of the connection.</param>
/// <param name="account">The account of the peer.</param>
/// <param name="isComplete">Whether messages are complete before they are read. Complete messages are counted and do not wait.</param>
/// <param name="input">Continues when the message has room.</param>
internal sealed class InputReservation(ExchangeLane lane, in Account account, bool isComplete, StreamInput input) : InputWaiter(account)
{
    private readonly InputRoom _room = lane.Ledger.Input;
    private bool _isCharged;
    private MessageProgress _progress;
    private int _kept;

    /// <summary>Whether the message waits for room.</summary>
    public bool IsAwaited { get; private set; }

    /// <summary>The time of the next check of the progress; <see cref="long.MaxValue"/> if no message is charged.</summary>
    public long Deadline { get; private set; } = long.MaxValue;

    /// <summary>Charges the whole message. Returns <see langword="false"/> if it has to wait (<see cref="IFrameConsumer.MayKeep"/>).</summary>
    public bool TryTake(long size)
    {
        if (_isCharged) { return true; }
        Size = size;
        if (isComplete) { _room.Count(Account, size); }
        else if (!_room.TryTake(this))
        {
            IsAwaited = true;
            return false;
        }
        Begin();
        return true;
    }

    /// <summary>Returns the number of missing bytes of a message that is charged.</summary>
    public long MissingFrom(long length) => _isCharged ? Size - length : 0;

    /// <summary>Charges the bytes that were read ahead. Replaces the previous charge for such bytes.</summary>
    public void Keep(int length)
    {
        if (length > _kept) { _room.Count(Account, length - _kept); }
        else if (length < _kept) { _room.Uncount(Account, _kept - length); }
        _kept = length;
    }

    /// <summary>Returns whether the message arrives too slowly while its account uses much of its share.</summary>
    /// <param name="length">The bytes that have arrived.</param>
    /// <param name="isPaused">Whether the connection is not read. The pause does not count, so the next check only records the length.</param>
    public bool IsTooSlow(long length, bool isPaused)
    {
        if (lane.Now < Deadline) { return false; }
        Deadline = lane.Now + MessageProgress.Interval.Ticks;
        if (isPaused)
        {
            _progress = default;
            return false;
        }
        return _progress.IsTooSlow(length, isScarce: !isComplete && _room.Book.IsScarceFor(Account));
    }

    /// <summary>Ends the charge of the message when it is complete.</summary>
    public void Release()
    {
        if (!_isCharged) { return; }
        (_isCharged, Deadline) = (false, long.MaxValue);
        if (isComplete) { _room.Uncount(Account, Size); }
        else { _room.Give(Account, Size); }
    }

    /// <summary>Ends all charges and a wait, because no more bytes will be processed.</summary>
    public void Cancel()
    {
        // If the message was charged in the meantime, the work that is posted to the lane ends the charge.
        if (IsAwaited) { _room.TryForget(this); }
        IsAwaited = false;
        Release();
        Keep(0);
    }

    public override void OnGranted() => lane.Post(new Granted(this));

    private void Begin() => (_isCharged, _progress, Deadline) = (true, default, lane.Now + MessageProgress.FirstCheck.Ticks);

    private void OnGrantedOnLane()
    {
        if (!IsAwaited)
        {
            Return();
            return;
        }
        IsAwaited = false;
        Begin();
        input.ResumeIfRoom();
    }

    private void Return() => _room.Give(Account, Size);

    private sealed class Granted(InputReservation reservation) : LaneWork
    {
        public override void Run() => reservation.OnGrantedOnLane();

        public override void Abandon() => reservation.Return();
    }
}
