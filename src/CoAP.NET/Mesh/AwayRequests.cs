using CoAP.Exchanges;

namespace CoAP.Mesh;

/// <summary>The requests that a user's block has at one arrow of a lane. They count as open, and are charged to their accounts, until the block returns them or ends.</summary>
internal sealed class AwayRequests<T>(ExchangeLane lane, MeshArrow<T> arrow)
{
    private readonly Dictionary<IncomingRequest, (T Item, Account Account)> _items = [];

    /// <summary>Refuses a request whose account holds its share. Returns <see langword="false"/> if the item may leave for the block.</summary>
    /// <remarks>Answers are not refused, because their handlers have acted.</remarks>
    public bool TryRefuse(T item)
    {
        if (item is not IncomingRequest request || !lane.TryRefuse(request, out var refusal)) { return false; }
        lane.Features.Get<RequestFailures>().Refuse(request, refusal);
        return true;
    }

    /// <summary>Called on the lane with each item that leaves for the block.</summary>
    public void Add(T item)
    {
        if (arrow.RequestOf?.Invoke(item) is not { } request) { return; }
        TryRemove(item);
        var account = request.Account;
        _items.Add(request, (item, account));
        lane.OpenRequests.Add(request);
        lane.Ledger.Requests.Take(account);
    }

    /// <summary>Called on the lane with each item that the block returns. Returns <see langword="false"/> if its request has ended meanwhile.</summary>
    public bool TryRemove(T item)
    {
        if (arrow.RequestOf?.Invoke(item) is not { } request) { return true; }
        if (!_items.Remove(request, out var away)) { return false; }
        lane.OpenRequests.Remove(request);
        lane.Ledger.Requests.Release(away.Account);
        return true;
    }

    /// <summary>Ends the requests of a block that has ended without returning them.</summary>
    public void Fail(Exception? failure)
    {
        var exception = failure ?? new InvalidOperationException($"The block at the arrow '{arrow}' has ended.");
        foreach (var (item, _) in _items.Values.ToArray())
        {
            TryRemove(item);
            arrow.Fail(lane, item, exception);
        }
    }
}
