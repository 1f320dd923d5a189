namespace CoAP.Observing;

/// <summary>A client with observations on this lane, and what may be sent to it.</summary>
internal abstract class ObserverPeer(ObserverRegistry registry, ChannelKey key)
{
    private readonly Queue<Observation> _waiting = new();

    public ObserverRegistry Registry => registry;

    public ChannelKey Key => key;

    /// <summary>The client's observations.</summary>
    public HashSet<Observation> Observations { get; } = [];

    /// <summary>Whether nothing more is sent to it.</summary>
    protected bool IsGone { get; private set; }

    /// <summary>Has the observation wait for its turn.</summary>
    protected void Enqueue(Observation observation)
    {
        if (observation.IsWaiting) { return; }
        observation.IsWaiting = true;
        _waiting.Enqueue(observation);
    }

    /// <summary>The next one that waits and still has something to send.</summary>
    protected bool TryPeek(out Observation next)
    {
        while (_waiting.TryPeek(out next!))
        {
            if (!next.IsEnded && !next.IsCurrent) { return true; }
            Dequeue();
        }
        return false;
    }

    protected void Dequeue() => _waiting.Dequeue().IsWaiting = false;

    /// <summary>The client is gone: so are its observations.</summary>
    public void RemoveAll()
    {
        IsGone = true;
        foreach (var observation in Observations.ToArray()) { registry.Remove(observation); }
    }

    /// <summary>It has no observation any more.</summary>
    public abstract void Forget();
}
