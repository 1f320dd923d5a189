using CoAP.Lanes;
using CoAP.Serialization;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>The part of the endpoint's byte budget that an incomplete message of one connection uses.</summary>
internal sealed class InputReservation(StreamLane lane, StreamInput input) : IBudgetWaiter
{
    private readonly StreamBudget _budget = lane.Budget;
    private long _reserved;
    private bool _isHolder;     // the budget granted the bytes of the whole message
    private long _requested;

    /// <summary>Whether the message waits for room in the budget.</summary>
    public bool IsAwaited { get; private set; }

    /// <summary>Extends the reservation to a size; returns <see langword="false"/> if the message has to wait (<see cref="IFrameConsumer.MayKeep"/>).</summary>
    public bool TryGrow(int size, bool isWhole)
    {
        var more = size - _reserved;
        if (_isHolder && more <= 0) { return true; }
        if (!isWhole) { _budget.Add(more); }
        else if (_budget.TryTake(more, this)) { _isHolder = true; }
        else
        {
            (IsAwaited, _requested) = (true, more);
            return false;
        }
        _reserved = size;
        return true;
    }

    /// <summary>Ends the reservation when the message is complete.</summary>
    public void Release()
    {
        if (_reserved == 0) { return; }
        if (_isHolder) { _budget.GiveBack(_reserved); }
        else { _budget.Remove(_reserved); }
        (_reserved, _isHolder) = (0, false);
    }

    /// <summary>Ends the reservation, and a wait for it, when the message will not be complete.</summary>
    public void Cancel()
    {
        if (IsAwaited && _budget.TryForget(this)) { _requested = 0; }
        IsAwaited = false;
        Release();
    }

    // Any thread.
    void IBudgetWaiter.OnGranted() => lane.Post(new Granted(this));

    private void OnGrantedOnLane()
    {
        if (!IsAwaited)
        {
            _budget.GiveBack(_requested);
            return;
        }
        (IsAwaited, _isHolder) = (false, true);
        _reserved += _requested;
        input.ResumeIfRoom();
    }

    private void Return() => _budget.GiveBack(_requested);

    private sealed class Granted(InputReservation reservation) : LaneWork
    {
        public override void Run() => reservation.OnGrantedOnLane();

        public override void Abandon() => reservation.Return();
    }
}
