namespace CoAP.Tool.Benchmarking;

/// <summary>The requests that each socket has to send, first in, first out, and the sockets that have any.</summary>
internal sealed class SendQueue
{
    private readonly RequestSlots _slots;
    private readonly (int First, int Last)[] _ends;
    private readonly bool[] _isListed;
    private readonly int[] _listed;

    public SendQueue(RequestSlots slots, int sockets)
    {
        (_slots, _isListed, _listed) = (slots, new bool[sockets], new int[sockets]);
        _ends = [.. Enumerable.Repeat((-1, -1), sockets)];
    }

    /// <summary>The number of sockets that have something to send.</summary>
    public int Listed { get; private set; }

    public int SocketAt(int index) => _listed[index];

    /// <summary>Returns the first slot of a socket; -1 if there is none.</summary>
    public int First(int socket) => _ends[socket].First;

    public void Add(int index)
    {
        ref var slot = ref _slots[index];
        if (slot.IsQueued) { return; }
        (slot.IsQueued, slot.Next) = (true, -1);
        ref var ends = ref _ends[slot.Socket];
        if (ends.First < 0) { ends.First = index; }
        else { _slots[ends.Last].Next = index; }
        ends.Last = index;
        if (_isListed[slot.Socket]) { return; }
        _isListed[slot.Socket] = true;
        _listed[Listed++] = slot.Socket;
    }

    /// <summary>Removes the first slot of a socket.</summary>
    public void RemoveFirst(int socket)
    {
        ref var slot = ref _slots[_ends[socket].First];
        slot.IsQueued = false;
        _ends[socket].First = slot.Next;
    }

    /// <summary>Removes the sockets from the list that have nothing more to send.</summary>
    public void Tidy()
    {
        var kept = 0;
        for (var index = 0; index < Listed; index++)
        {
            var socket = _listed[index];
            _isListed[socket] = _ends[socket].First >= 0;
            if (_isListed[socket]) { _listed[kept++] = socket; }
        }
        Listed = kept;
    }
}
