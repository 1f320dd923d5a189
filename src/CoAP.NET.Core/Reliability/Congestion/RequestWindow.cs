using System.Diagnostics.CodeAnalysis;

namespace CoAP.Reliability;

/// <summary>An item that can wait in a <see cref="RequestWindow{T}"/>. All members belong to the window.</summary>
internal interface IWindowItem<T> where T : class
{
    bool IsWaiting { get; set; }

    T? Previous { get; set; }

    T? Following { get; set; }
}

/// <summary>The result of offering an item to a <see cref="RequestWindow{T}"/>.</summary>
internal enum WindowEntry
{
    /// <summary>The item is outstanding: send it.</summary>
    Started,

    /// <summary>The item waits until others are settled.</summary>
    Waiting,

    /// <summary>Too many items wait: fail this one.</summary>
    Full,
}

/// <summary>Limits the outstanding interactions with one peer and queues the others (RFC 7252, section 4.7, NSTART).</summary>
internal sealed class RequestWindow<T>(int nStart, int maxWaiting) where T : class, IWindowItem<T>
{
    private T? _first;
    private T? _last;

    /// <summary>The allowed number of outstanding items. Call <see cref="TryStartNext"/> after an increase; a decrease takes effect gradually.</summary>
    public int NStart { get; set; } = nStart;

    public int Outstanding { get; private set; }

    public int Waiting { get; private set; }

    /// <summary>Starts an item, or queues it after all others.</summary>
    public WindowEntry Enter(T item)
    {
        if (Waiting == 0 && Outstanding < NStart)
        {
            Outstanding++;
            return WindowEntry.Started;
        }
        if (Waiting >= maxWaiting) { return WindowEntry.Full; }
        item.IsWaiting = true;
        item.Previous = _last;
        if (_last is null) { _first = item; }
        else { _last.Following = item; }
        _last = item;
        Waiting++;
        return WindowEntry.Waiting;
    }

    /// <summary>Called when an outstanding item was settled. Call <see cref="TryStartNext"/> afterwards until it returns <see langword="false"/>.</summary>
    public void Leave()
    {
        if (Outstanding == 0) { throw new InvalidOperationException("No request is outstanding."); }
        Outstanding--;
    }

    /// <summary>Starts the item that has waited longest, if there is room.</summary>
    public bool TryStartNext([NotNullWhen(true)] out T? item)
    {
        item = Outstanding < NStart ? _first : null;
        if (item is null) { return false; }
        Unlink(item);
        Outstanding++;
        return true;
    }

    /// <summary>Removes an item whose caller no longer waits. Returns <see langword="false"/> if it was not queued.</summary>
    public bool Remove(T item)
    {
        if (!item.IsWaiting) { return false; }
        Unlink(item);
        return true;
    }

    private void Unlink(T item)
    {
        if (item.Previous is null) { _first = item.Following; }
        else { item.Previous.Following = item.Following; }
        if (item.Following is null) { _last = item.Previous; }
        else { item.Following.Previous = item.Previous; }
        item.Previous = null;
        item.Following = null;
        item.IsWaiting = false;
        Waiting--;
    }
}
