namespace CoAP.Load;

/// <summary>The requests that each socket has still to send, first in, first out, and the list of sockets that have any.</summary>
internal sealed class SendQueues(RequestTable requests, int peers)
{
    private readonly int[] _first = new int[peers];
    private readonly int[] _last = new int[peers];
    private readonly bool[] _isListed = new bool[peers];
    private readonly int[] _listed = new int[peers];

    /// <summary>The number of sockets that have something to send.</summary>
    public int Listed { get; private set; }

    public int PeerAt(int index) => _listed[index];

    /// <summary>Returns the slot that this socket sends next, or -1.</summary>
    public int First(int peer) => _first[peer] - 1;

    /// <summary>Returns the slot behind another one in its queue, or -1.</summary>
    public int After(int slot) => requests[slot].Next - 1;

    public void Add(int slot)
    {
        ref var added = ref requests[slot];
        added.IsQueued = true;
        added.Next = 0;
        var peer = added.Peer;
        if (_first[peer] == 0) { _first[peer] = slot + 1; }
        else { requests[_last[peer] - 1].Next = slot + 1; }
        _last[peer] = slot + 1;
        if (_isListed[peer]) { return; }
        _isListed[peer] = true;
        _listed[Listed++] = peer;
    }

    /// <summary>Takes the first slot off a queue.</summary>
    public int Take(int peer)
    {
        var slot = _first[peer] - 1;
        _first[peer] = requests[slot].Next;
        requests[slot].IsQueued = false;
        return slot;
    }

    /// <summary>Removes the sockets from the list that have nothing more to send.</summary>
    public void Tidy()
    {
        var kept = 0;
        for (var index = 0; index < Listed; index++)
        {
            var peer = _listed[index];
            _isListed[peer] = _first[peer] != 0;
            if (_isListed[peer]) { _listed[kept++] = peer; }
        }
        Listed = kept;
    }

    /// <summary>Drops what a closed connection had to send.</summary>
    public void Clear(int peer)
    {
        while (_first[peer] != 0) { Take(peer); }
    }
}
