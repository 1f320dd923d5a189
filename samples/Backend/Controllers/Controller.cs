using CoAP;

namespace Backend;

/// <summary>What the backend knows of a controller. Safe for concurrent use.</summary>
internal sealed class Controller(string id, string owner, DateTimeOffset now)
{
    private readonly Lock _gate = new();
    private CancellationTokenSource? _observation;
    private int _waiting;
    private long _version;
    private long _lastContact = now.UtcTicks;
    private bool _hasEnded;

    public string Id => id;

    /// <summary>The identity that has added the controller. It changes under the gate of the table.</summary>
    public string Owner { get; set; } = owner;

    /// <summary>Increases with each change.</summary>
    public long Version => Volatile.Read(ref _version);

    /// <summary>The newest reading that is stored.</summary>
    public Reading? Latest
    {
        get { lock (_gate) { return field; } }
        private set;
    }

    public SetPoint? SetPoint { get; private set; }

    /// <summary>The last power that the backend has observed.</summary>
    public Power? Power { get; private set; }

    /// <summary>The channel that the controller has opened; <see langword="null"/> before its first request.</summary>
    public IChannel? Channel { get; private set; }

    public DateTimeOffset LastContact => new(Volatile.Read(ref _lastContact), TimeSpan.Zero);

    /// <summary>Keeps the source that ends the observation of its power, and returns that of the observation before.</summary>
    public CancellationTokenSource? ReplaceObservation(CancellationTokenSource observation) => Interlocked.Exchange(ref _observation, observation);

    /// <summary>Takes a place in the queue of the store.</summary>
    public bool TryWait(int limit)
    {
        if (Interlocked.Increment(ref _waiting) <= limit) { return true; }
        EndWait();
        return false;
    }

    public void EndWait() => Interlocked.Decrement(ref _waiting);

    /// <summary>Notes that the controller has called. Returns <see langword="false"/> if it is no longer in the table.</summary>
    public bool TryTouch(DateTimeOffset now)
    {
        lock (_gate)
        {
            if (!_hasEnded) { Volatile.Write(ref _lastContact, now.UtcTicks); }
            return !_hasEnded;
        }
    }

    /// <summary>Ends the controller if it has not called since a time and nothing of it waits for the store.</summary>
    public bool TryEnd(DateTimeOffset silentSince)
    {
        lock (_gate)
        {
            if (Volatile.Read(ref _waiting) > 0 || LastContact > silentSince) { return false; }
            _hasEnded = true;
        }
        _ = _observation?.CancelAsync();
        return true;
    }

    /// <summary>Notes where the controller can be reached.</summary>
    public void Reach(IncomingRequest request)
    {
        if (Channel is { IsClosed: false } channel && channel.Peer == request.Peer) { return; }
        Channel = request.Channel;
    }

    public void Show(Reading reading)
    {
        lock (_gate)
        {
            if (Latest is not { } latest || latest.Sequence <= reading.Sequence) { Latest = reading; }
        }
        Interlocked.Increment(ref _version);
    }

    public void Show(Power? power) => Change(() => Power = power);

    public void Set(SetPoint setPoint) => Change(() => SetPoint = setPoint);

    private void Change(Action change)
    {
        lock (_gate) { change(); }
        Interlocked.Increment(ref _version);
    }
}
