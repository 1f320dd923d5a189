using CoAP.Lanes;

namespace CoAP.Exchanges;

/// <summary>
/// Work for a peer that another thread posts to the lane, such as a late answer. If the peer has turns, the work runs in one of them, so
/// that it delays others no more than the requests of the peer do.
/// </summary>
internal abstract class TurnWork : LaneWork
{
    private bool _isInTurn;

    /// <summary>The connection whose turn the work waits for; <see langword="null"/> if the work runs at once.</summary>
    protected abstract LaneChannel? TurnOf { get; }

    /// <summary>The number of bytes that the work copies.</summary>
    protected virtual int CopiedBytes => 0;

    public sealed override void Run()
    {
        if (!_isInTurn)
        {
            _isInTurn = true;
            OnReceived();
            if (TurnOf is { } connection && connection.TryQueueForTurn(this, CopiedBytes)) { return; }
        }
        RunInTurn();
    }

    /// <summary>Called once, when the lane receives the work.</summary>
    protected virtual void OnReceived() { }

    /// <summary>Does the work. Called on the lane, also if the connection has ended.</summary>
    protected abstract void RunInTurn();
}
