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

    private readonly AccountTurns<PathWaiter> _whole = new();
    private AccountTurns<PathWaiter>? _arriving;
    private int _ahead;
    private ITimer? _limit;

    /// <summary>The request that has the turn.</summary>
    public IncomingRequest? Holder { get; set; }

    /// <summary>Whether nobody waits.</summary>
    public bool IsEmpty => Count == 0;

    /// <summary>The number of requests that wait.</summary>
    public int Count => _whole.Count + (_arriving?.Count ?? 0);

    /// <summary>Adds a request that waits.</summary>
    public void Add(PathWaiter waiter)
    {
        var isWhole = waiter.Request.Streamed is not { IsWhole: false };
        Add(waiter, isWhole ? _whole : (_arriving ??= new()));
    }

    /// <summary>Removes a request that gives up. Returns <see langword="false"/> if it no longer waits.</summary>
    public bool Remove(PathWaiter waiter) =>
        waiter.Place is { } place && (_whole.Remove(waiter.Account, place) || _arriving?.Remove(waiter.Account, place) == true);

    /// <summary>Removes the request that has the turn after the present one.</summary>
    public bool TryTake([NotNullWhen(true)] out PathWaiter? next)
    {
        if (_arriving is { Count: > 0 } arriving && (_whole.Count == 0 || _ahead >= MostAhead))
        {
            _ahead = 0;
            return TryTakeArriving(arriving, out next);
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

    private static void Add(PathWaiter waiter, AccountTurns<PathWaiter> turns) => waiter.Place = turns.Add(waiter.Account, waiter);

    private static void End(IncomingRequest holder, IStreamedBody body, TimeSpan time) => holder.Lane.Post(new LaneAction(() => body.EndIncomplete(
        $"The body did not arrive within {time.TotalSeconds:0.###} s while other requests to its path waited "
        + "(ServerTransferSettings.MaxBodyTurn).")));

    // Bodies go on arriving while they wait, as far as there is room for them. A whole one comes first.
    private static bool TryTakeArriving(AccountTurns<PathWaiter> arriving, [NotNullWhen(true)] out PathWaiter? next)
    {
        for (var left = arriving.Count; arriving.TryTake(out next) && next.Request.Streamed is { IsWhole: false } && left > 0; left--)
        {
            Add(next, arriving);
        }
        return next is not null;
    }
}
