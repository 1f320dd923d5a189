using CoAP.Exchanges;

namespace CoAP.Mesh;

/// <summary>The requests, and the errors that end observations, that a user's block holds at one arrow of a lane until it returns them or ends.</summary>
internal sealed class AwayRequests<T> : IDisposable
{
    private readonly ExchangeLane _lane;
    private readonly RequestFailures _failures;
    private readonly MeshArrow<T> _arrow;
    private readonly Dictionary<object, (T Item, HeldRequest? Held)> _items = [];

    public AwayRequests(ExchangeLane lane, RequestFailures failures, MeshArrow<T> arrow)
    {
        (_lane, _failures, _arrow) = (lane, failures, arrow);
        lane.Own(this);
    }

    /// <summary>Refuses a request whose account holds its share. Returns <see langword="false"/> if the item may leave for the block.</summary>
    /// <remarks>Answers are not refused, because their handlers have acted.</remarks>
    public bool TryRefuse(T item)
    {
        if (item is not IncomingRequest request || !_lane.TryRefuse(request, out var refusal)) { return false; }
        _failures.Refuse(request, refusal);
        return true;
    }

    /// <summary>Called on the lane with each item that leaves for the block.</summary>
    public void Add(T item)
    {
        if (_arrow.OwnerOf?.Invoke(item) is not { } owner) { return; }
        TryRemove(item);
        if (owner is IncomingRequest request)
        {
            request.MayHaveActed = true;
            _items.Add(owner, (item, new HeldRequest(_lane, request)));
        }
        else { _items.Add(owner, (item, null)); }
    }

    /// <summary>Called on the lane with each item that the block returns. Returns <see langword="false"/> if its request or observation has ended.</summary>
    public bool TryRemove(T item)
    {
        if (_arrow.OwnerOf?.Invoke(item) is not { } owner) { return true; }
        if (!_items.Remove(owner, out var away)) { return false; }
        away.Held?.Close();
        away.Held?.Release();
        return true;
    }

    /// <summary>Ends the requests and observations of a block that has ended without returning them.</summary>
    public void Fail(Exception? failure)
    {
        var exception = failure ?? new InvalidOperationException($"The block at the arrow '{_arrow}' has ended.");
        foreach (var (item, _) in _items.Values.ToArray())
        {
            TryRemove(item);
            _arrow.Fail(_failures, item, exception);
        }
    }

    // The lane has ended, and so have all its requests.
    public void Dispose()
    {
        foreach (var (_, held) in _items.Values) { held?.Release(); }
        _items.Clear();
    }
}
