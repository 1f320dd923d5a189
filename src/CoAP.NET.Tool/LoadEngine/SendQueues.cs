namespace CoAP.Tool.LoadEngine;

/// <summary>The requests that each socket has still to send, first in, first out, and the list of sockets that have any.</summary>
internal sealed class SendQueues(RequestTable requests, int peers)
{
    private readonly Queue<int>[] _queues = [.. Enumerable.Range(0, peers).Select(static _ => new Queue<int>(1))];
    private readonly bool[] _isListed = new bool[peers];
    private readonly int[] _listed = new int[peers];

    /// <summary>The number of sockets that have something to send.</summary>
    public int Listed { get; private set; }

    public int PeerAt(int index) => _listed[index];

    public Queue<int> Of(int peer) => _queues[peer];

    public void Add(int slot)
    {
        ref var request = ref requests[slot];
        if (request.IsQueued) { return; }
        request.IsQueued = true;
        var peer = request.Peer;
        _queues[peer].Enqueue(slot);
        if (_isListed[peer]) { return; }
        _isListed[peer] = true;
        _listed[Listed++] = peer;
    }

    /// <summary>Removes the first request of a socket's queue and returns its slot.</summary>
    public int Take(int peer)
    {
        var slot = _queues[peer].Dequeue();
        requests[slot].IsQueued = false;
        return slot;
    }

    /// <summary>Removes all requests of a socket.</summary>
    public void Clear(int peer)
    {
        while (_queues[peer].Count > 0) { Take(peer); }
    }

    /// <summary>Removes the sockets from the list that have nothing more to send.</summary>
    public void Tidy()
    {
        var kept = 0;
        for (var index = 0; index < Listed; index++)
        {
            var peer = _listed[index];
            _isListed[peer] = _queues[peer].Count > 0;
            if (_isListed[peer]) { _listed[kept++] = peer; }
        }
        Listed = kept;
    }
}
