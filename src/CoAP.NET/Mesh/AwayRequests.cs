using CoAP.Exchanges;

namespace CoAP.Mesh;

/// <summary>The requests that a user's block has at one arrow of a lane. They count as open until the block returns them or ends.</summary>
internal sealed class AwayRequests<T>(ExchangeLane lane, MeshArrow<T> arrow)
{
    private readonly Dictionary<IncomingRequest, T> _items = [];

    /// <summary>Called on the lane with each item that leaves for the block.</summary>
    public void Add(T item)
    {
        if (arrow.RequestOf is not { } requestOf) { return; }
        _items[requestOf(item)] = item;
        lane.OpenRequests.Add(requestOf(item));
    }

    /// <summary>Called on the lane with each item that the block returns. Returns <see langword="false"/> if its request has ended meanwhile.</summary>
    public bool TryRemove(T item)
    {
        if (arrow.RequestOf is not { } requestOf) { return true; }
        lane.OpenRequests.Remove(requestOf(item));
        return _items.Remove(requestOf(item));
    }

    /// <summary>Ends the requests of a block that has ended without returning them.</summary>
    public void Fail(Exception? failure)
    {
        var exception = failure ?? new InvalidOperationException($"The block at the arrow '{arrow}' has ended.");
        foreach (var item in _items.Values.ToArray())
        {
            TryRemove(item);
            arrow.Fail(lane, item, exception);
        }
    }
}
