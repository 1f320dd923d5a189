using System.Diagnostics.CodeAnalysis;
using CoAP.Accounting;
using CoAP.Lanes;

namespace CoAP.Resources;

/// <summary>The request that has the turn of a path, and those that wait for it. Used under the lock of its owner.</summary>
/// <param name="takeBack">
/// Takes the turn from a request that has not begun. Returns <see langword="false"/> if it has begun. Called without the lock.
/// </param>
internal sealed class PathQueue(Func<PathQueue, PathWaiter, bool> takeBack)
{
    private readonly AccountTurns<PathWaiter> _whole = new();
    private AccountTurns<PathWaiter>? _arriving;
    private long _bodiesWaitSince;      // timestamp
    private bool _isOfBody;
    private IncomingRequest? _holder;
    private ITimer? _limit;

    /// <summary>The request that has the turn, until a handler thread runs it.</summary>
    public PathWaiter? Granted { get; set; }

    /// <summary>Whether nobody waits.</summary>
    public bool IsEmpty => Count == 0;

    /// <summary>The number of requests that wait.</summary>
    public int Count => _whole.Count + (_arriving?.Count ?? 0);

    /// <summary>Gives the turn to a request that has not waited.</summary>
    public void Begin(IncomingRequest request) => (_holder, _isOfBody) = (request, IsArriving(request));

    /// <summary>Adds a request that waits.</summary>
    public void Add(PathWaiter waiter)
    {
        if (!IsArriving(waiter.Request))
        {
            Add(waiter, _whole);
            return;
        }
        if (_arriving is not { Count: > 0 }) { _bodiesWaitSince = Now(waiter.Request); }
        Add(waiter, _arriving ??= new());
    }

    /// <summary>Removes a request that gives up. Returns <see langword="false"/> if it no longer waits.</summary>
    public bool Remove(PathWaiter waiter) =>
        waiter.Place is { } place && (_whole.Remove(waiter.Account, place) || _arriving?.Remove(waiter.Account, place) == true);

    /// <summary>Gives the turn to the next request. Returns <see langword="null"/> if nobody waits.</summary>
    public PathWaiter? Grant()
    {
        _limit?.Dispose();
        if (_isOfBody) { _bodiesWaitSince = Now(_holder!); }
        (_limit, _holder, Granted) = (null, null, null);
        if (!TryTake(out var next)) { return null; }
        (_holder, Granted) = (next.Request, next.NeedsThread ? next : null);
        if (!IsEmpty) { LimitHolder(); }
        return next;
    }

    private bool TryTake([NotNullWhen(true)] out PathWaiter? next)
    {
        if (_arriving is { Count: > 0 } arriving && (_whole.TryPeek() is not { } whole || AreBodiesDue(whole.Request)))
        {
            _isOfBody = true;
            return TryTakeArriving(arriving, out next);
        }
        _isOfBody = false;
        return _whole.TryTake(out next);
    }

    // Bodies that arrive have the turn for half of the time at most while others wait.
    private bool AreBodiesDue(IncomingRequest other) => other.Lane.Time.GetElapsedTime(_bodiesWaitSince) >= other.Settings.MaxBodyTurn;

    private static long Now(IncomingRequest request) => request.Lane.Time.GetTimestamp();

    /// <summary>Ends the body of the request that has the turn, or its turn if it has not begun, when others wait for too long.</summary>
    public void LimitHolder()
    {
        if (_limit is not null || _holder is not { } holder || (Granted is null && !IsArriving(holder))) { return; }
        var (granted, time) = (Granted, holder.Settings.MaxBodyTurn);
        _limit = holder.Lane.Time.CreateTimer(_ => End(), null, time, Timeout.InfiniteTimeSpan);

        void End()
        {
            if (granted is null || !takeBack(this, granted)) { EndBody(holder, time); }
        }
    }

    private static void Add(PathWaiter waiter, AccountTurns<PathWaiter> turns) => waiter.Place = turns.Add(waiter.Account, waiter);

    private static bool IsArriving(IncomingRequest request) => request.Streamed is { IsWhole: false };

    private static void EndBody(IncomingRequest holder, TimeSpan time)
    {
        if (holder.Streamed is not { IsWhole: false } body) { return; }
        holder.Lane.Post(new LaneAction(() => body.EndIncomplete(
            $"The body did not arrive within {time.TotalSeconds:0.###} s while other requests to its path waited "
            + "(ServerTransferSettings.MaxBodyTurn).")));
    }

    // Bodies go on arriving while they wait, as far as there is room for them. A whole one comes first.
    private static bool TryTakeArriving(AccountTurns<PathWaiter> arriving, [NotNullWhen(true)] out PathWaiter? next)
    {
        for (var left = arriving.Count; arriving.TryTake(out next) && IsArriving(next.Request) && left > 0; left--)
        {
            Add(next, arriving);
        }
        return next is not null;
    }
}
