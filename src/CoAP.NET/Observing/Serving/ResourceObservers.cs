using CoAP.Resources;

namespace CoAP.Observing;

/// <summary>The lanes that have observers of a resource. Each lane holds its own observers.</summary>
internal sealed class ResourceObservers : ResourceFeature
{
    private readonly Lock _changing = new();
    private ObserversOfLane[] _lanes = [];
    private long _version;
    private int _count;
    private bool _isShared;

    /// <summary>Whether notifications are confirmable. Default: the endpoint's setting.</summary>
    public bool? IsConfirmable { get; init; }

    /// <summary>Whether each peer has its own representation, regardless of steps and authorizers.</summary>
    public bool IsPerPeer { get; init; }

    /// <summary>Whether all peers share a representation, regardless of steps, authorizers and credentials.</summary>
    public bool IsShared { get => Volatile.Read(ref _isShared); set => Volatile.Write(ref _isShared, value); }

    /// <summary>Whether observers are notified before Max-Age expires. Default: the endpoint's setting.</summary>
    public bool? KeepsFresh { get; init; }

    /// <summary>The number of changes of the resource.</summary>
    public long Version => Interlocked.Read(ref _version);

    /// <summary>The number of observations on all lanes.</summary>
    public int Count => Volatile.Read(ref _count);

    public void Add(ObserversOfLane lane)
    {
        lock (_changing) { Volatile.Write(ref _lanes, [.. _lanes, lane]); }
    }

    public void Remove(ObserversOfLane lane)
    {
        lock (_changing) { Volatile.Write(ref _lanes, [.. _lanes.Where(other => other != lane)]); }
    }

    public void Started() => Interlocked.Increment(ref _count);

    public void Ended() => Interlocked.Decrement(ref _count);

    public override void OnRemoved() => End(ResponseCode.NotFound);

    // A request that arrived before the change may get the old state. Its registration compares versions and then asks the handler again.
    public void Notify(string? path)
    {
        Interlocked.Increment(ref _version);
        foreach (var lane in Volatile.Read(ref _lanes)) { lane.OnChanged(path); }
    }

    public void End(CoapCode code)
    {
        foreach (var lane in Volatile.Read(ref _lanes)) { lane.OnEnded(code); }
    }
}
