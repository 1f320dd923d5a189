using CoAP.Lanes;

namespace CoAP.Observing;

/// <summary>A client with observations on this lane. Limits how many notifications are sent to it at a time.</summary>
/// <param name="registry">The list that the observations of the client are in.</param>
/// <param name="observing">What the observations share.</param>
/// <param name="key">The client.</param>
internal abstract class ObserverPeer(ObserverRegistry registry, ObservingLane observing, ChannelKey key)
{
    // The end of an observation takes a few microseconds, and clients determine the number of their observations.
    private const int MostPerTurn = 256;

    public ObservingLane Observing => observing;

    public ChannelKey Key => key;

    /// <summary>The client's observations.</summary>
    public HashSet<Observation> Observations { get; } = [];

    /// <summary>Whether the client is gone. Nothing more is sent to it.</summary>
    protected bool IsGone { get; private set; }

    /// <summary>Whether a last message to the client is outstanding.</summary>
    public virtual bool IsBusy => false;

    /// <summary>Creates the observation of a registration.</summary>
    public abstract Observation Register(IncomingRequest request, Account account);

    /// <summary>Ends an observation and removes it from the list of the lane. Does nothing if it has ended.</summary>
    public void End(Observation observation) => registry.Remove(observation);

    /// <summary>Removes an observation that has ended.</summary>
    public virtual void Remove(Observation observation) => Observations.Remove(observation);

    /// <summary>
    /// Removes all observations of the client, because the client is gone. If there are many, the lane does other work in between. A client
    /// that registers again meanwhile is a new one.
    /// </summary>
    public void RemoveAll()
    {
        IsGone = true;
        registry.Detach(this);
        ForEach(registry.Remove);
    }

    /// <summary>Calls a method with each observation of the client. If there are many, the lane does other work in between.</summary>
    protected void ForEach(Action<Observation> action) => ForEach([.. Observations], 0, action);

    /// <summary>Removes the client from the list if it has no observations and needs no more messages.</summary>
    protected void LeaveIfUnused() => registry.DropIfUnused(this);

    /// <summary>Called when the last observation of the client has ended.</summary>
    public abstract void Forget();

    private void ForEach(Observation[] observations, int from, Action<Observation> action)
    {
        var to = Math.Min(from + MostPerTurn, observations.Length);
        for (; from < to; from++) { action(observations[from]); }
        if (to < observations.Length) { observing.Lane.Post(new LaneAction(() => ForEach(observations, to, action))); }
    }
}

/// <summary>A client with observations of a kind, and the queue of those with a notification to send.</summary>
internal abstract class ObserverPeer<TObservation>(ObserverRegistry registry, ObservingLane observing, ChannelKey key) : ObserverPeer(registry, observing, key)
    where TObservation : Observation
{
    // A queue that is at most so much longer than the list of observations is not cleared of those that have ended.
    private const int MostEnded = 16;

    private Queue<TObservation> _waiting = new();

    public override void Remove(Observation observation)
    {
        base.Remove(observation);
        // While the first in the queue must wait, nobody takes those behind it. A client that ends observations and begins others must not grow the queue.
        if (_waiting.Count > (2 * Observations.Count) + MostEnded) { _waiting = new(_waiting.Where(static one => !one.IsEnded)); }
    }

    /// <summary>Adds an observation to the queue, unless it is there already.</summary>
    protected void Enqueue(TObservation observation)
    {
        if (observation.IsWaiting) { return; }
        observation.IsWaiting = true;
        _waiting.Enqueue(observation);
    }

    /// <summary>Returns the next observation in the queue that still has a notification to send.</summary>
    protected bool TryPeek(out TObservation next)
    {
        while (_waiting.TryPeek(out next!))
        {
            if (!next.IsEnded && !next.IsCurrent) { return true; }
            Dequeue();
        }
        return false;
    }

    protected void Dequeue() => _waiting.Dequeue().IsWaiting = false;
}
