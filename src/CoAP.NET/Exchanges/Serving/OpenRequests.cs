namespace CoAP.Exchanges;

/// <summary>The requests of a lane that have left the mesh without an answer: a handler or a user's block has them, or their answer waits for its time.</summary>
internal sealed class OpenRequests
{
    private readonly HashSet<IOpenRequest> _requests = [];

    public int Count => _requests.Count;

    public void Add(IOpenRequest request) => _requests.Add(request);

    public void Remove(IOpenRequest request) => _requests.Remove(request);

    /// <summary>Ends all requests because the lane has ended.</summary>
    public void LoseAll()
    {
        foreach (var request in _requests) { request.Lose(); }
        _requests.Clear();
    }
}
