using CoAP.Lanes;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>What a message that is not whole yet has of the bytes that all connections may hold together.</summary>
internal sealed class InputShare(StreamChannel channel, StreamBudget budget) : IBudgetWaiter
{
    private long _reserved;
    private bool _isWhole;          // what is reserved was taken, not only counted
    private long _asked;

    /// <summary>Whether the message has to wait for room.</summary>
    public bool IsAwaited { get; private set; }

    /// <summary>Has room for so many bytes in all; see <c>MayKeep</c>.</summary>
    public bool TryGrow(int size, bool isWhole)
    {
        var more = size - _reserved;
        if (_isWhole && more <= 0) { return true; }
        if (!isWhole) { budget.Add(more); }
        else if (budget.TryTake(more, this)) { _isWhole = true; }
        else
        {
            (IsAwaited, _asked) = (true, more);
            return false;
        }
        _reserved = size;
        return true;
    }

    /// <summary>The message is whole.</summary>
    public void GiveBack()
    {
        if (_reserved == 0) { return; }
        if (_isWhole) { budget.GiveBack(_reserved); }
        else { budget.Remove(_reserved); }
        (_reserved, _isWhole) = (0, false);
    }

    /// <summary>The message will never be whole.</summary>
    public void GiveUp()
    {
        if (IsAwaited && budget.TryForget(this)) { _asked = 0; }
        IsAwaited = false;
        GiveBack();
    }

    // Any thread.
    void IBudgetWaiter.OnGranted() => channel.Lane.Post(new Granted(this));

    private void OnGrantedOnLane()
    {
        if (!IsAwaited)
        {
            budget.GiveBack(_asked);
            return;
        }
        (IsAwaited, _isWhole) = (false, true);
        _reserved += _asked;
        channel.ResumeIfRoom();
    }

    private void Refuse() => budget.GiveBack(_asked);

    private sealed class Granted(InputShare share) : LaneWork
    {
        public override void Run() => share.OnGrantedOnLane();

        public override void Abandon() => share.Refuse();
    }
}
