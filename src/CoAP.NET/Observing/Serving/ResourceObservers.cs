namespace CoAP.Observing;

/// <summary>What a resource knows of its observers: which lanes have some. The observers themselves are the lanes' own.</summary>
internal sealed class ResourceObservers
{
    private readonly Lock _changing = new();
    private IChangeListener[] _listeners = [];
    private long _version;
    private int _count;

    /// <summary>Whether notifications are confirmable; as the endpoint's settings say where it is absent.</summary>
    public bool? IsConfirmable { get; init; }

    /// <summary>Whether each peer has a representation of its own.</summary>
    public bool IsPerPeer { get; init; }

    /// <summary>Whether observers are notified before Max-Age is over.</summary>
    public bool KeepsFresh { get; init; }

    /// <summary>How often the resource has changed.</summary>
    public long Version => Interlocked.Read(ref _version);

    /// <summary>The observations on all lanes.</summary>
    public int Count => Volatile.Read(ref _count);

    public void Add(IChangeListener listener)
    {
        lock (_changing) { Volatile.Write(ref _listeners, [.. _listeners, listener]); }
    }

    public void Remove(IChangeListener listener)
    {
        lock (_changing) { Volatile.Write(ref _listeners, [.. _listeners.Where(other => other != listener)]); }
    }

    public void Started() => Interlocked.Increment(ref _count);

    public void Ended() => Interlocked.Decrement(ref _count);

    // A request that came before the change may be answered with the old state after it: it sees by the version that it has to ask again.
    public void Notify(string? path)
    {
        Interlocked.Increment(ref _version);
        foreach (var listener in Volatile.Read(ref _listeners)) { listener.OnChanged(path); }
    }

    public void End(CoapCode code)
    {
        foreach (var listener in Volatile.Read(ref _listeners)) { listener.OnEnded(code); }
    }
}
