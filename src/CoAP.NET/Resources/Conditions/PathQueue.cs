using System.Diagnostics.CodeAnalysis;
using CoAP.Accounting;
using CoAP.Exchanges;
using CoAP.Lanes;

namespace CoAP.Resources;

/// <summary>The request that has the turn of a path, and those that wait for it. Used under the lock of its owner.</summary>
internal sealed class PathQueue
{
    // So many requests whose bodies have arrived come before one whose body has not.
    private const int MostAhead = 16;

    private readonly AccountTurns<PathTurns.Waiter> _whole = new();
    private AccountTurns<PathTurns.Waiter>? _arriving;
    private int _arrivingCount;
    private int _ahead;
    private ITimer? _limit;

    /// <summary>The request that has the turn.</summary>
    public IncomingRequest? Holder { get; set; }

    /// <summary>Whether nobody waits.</summary>
    public bool IsEmpty => _whole.IsEmpty && _arrivingCount == 0;

    /// <summary>Adds a request that waits.</summary>
    public void Add(PathTurns.Waiter waiter, in Account account)
    {
        if (waiter.Request.Streamed is not { IsWhole: false })
        {
            _whole.Add(account, waiter);
            return;
        }
        (_arriving ??= new()).Add(account, waiter);
        _arrivingCount++;
    }

    /// <summary>Removes the request that has the turn after the present one.</summary>
    public bool TryTake([NotNullWhen(true)] out PathTurns.Waiter? next)
    {
        next = null;
        if (_arrivingCount > 0 && (_whole.IsEmpty || _ahead >= MostAhead))
        {
            _ahead = 0;
            return TryTakeArriving(out next);
        }
        _ahead++;
        return _whole.TryTake(out next);
    }

    /// <summary>Ends the body of the request that has the turn when it has kept others waiting for too long.</summary>
    public void LimitHolder()
    {
        if (_limit is not null || Holder is not { Streamed: { IsWhole: false } body } holder) { return; }
        var time = holder.Settings.MaxBodyTurn;
        _limit = holder.Lane.Time.CreateTimer(_ => End(holder, body, time), null, time, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Ends the turn of the request that has it.</summary>
    public void Release()
    {
        _limit?.Dispose();
        (_limit, Holder) = (null, null);
    }

    private static void End(IncomingRequest holder, IStreamedBody body, TimeSpan time) => holder.Lane.Post(new LaneAction(() => body.EndIncomplete(
        $"The body kept other requests to its path waiting; at most {time.TotalSeconds:0.###} s are allowed (ServerTransferSettings.MaxBodyTurn).")));

    // Bodies go on arriving while they wait, as far as there is room for them. A whole one comes first.
    private bool TryTakeArriving([NotNullWhen(true)] out PathTurns.Waiter? next)
    {
        next = null;
        for (var left = _arrivingCount; left > 0 && _arriving!.TryTake(out next, out var account) && next.Request.Streamed is { IsWhole: false }; left--)
        {
            _arriving.Add(account, next);
            next = null;
        }
        if (next is null && !_arriving!.TryTake(out next, out _)) { return false; }
        _arrivingCount--;
        return true;
    }
}
