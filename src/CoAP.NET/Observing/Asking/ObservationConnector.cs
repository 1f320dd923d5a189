using CoAP.Lanes;

namespace CoAP.Observing;

/// <summary>What an observation goes back to when its channel cannot help it: says where to register, and whether that can be healed.</summary>
internal abstract class ObservationConnector
{
    private readonly Lock _gate = new();
    private ObservationRegistration? _registration;
    private bool _isClosed;

    /// <summary>Whether the reader has left, or nothing more will come.</summary>
    public bool IsClosed
    {
        get
        {
            lock (_gate) { return _isClosed; }
        }
    }

    /// <summary>Finds the channel and begins to register, without holding a thread.</summary>
    public abstract ValueTask StartAsync(ObservationContext context, CancellationToken cancellationToken);

    /// <summary>The same, blocking the calling thread.</summary>
    public abstract void Start(ObservationContext context, CancellationToken cancellationToken);

    /// <summary>The last registration failed and the wait is over: has the registration register again, here or elsewhere. On the lane.</summary>
    public abstract void Retry(ObservationRegistration registration);

    /// <summary>The registration has ended with its channel, or with the first registration. On the lane, or where it had ended on any thread.</summary>
    public abstract void OnLost(ObservationRegistration registration, Exception error);

    /// <summary>The reader wants nothing more; what the server knows of it is taken back. Any thread; the first call counts.</summary>
    public void Leave(ObservationEnd reason)
    {
        if (Close() is { } registration) { registration.Lane.Post(new LaneAction(() => registration.Leave(reason))); }
    }

    /// <summary>Makes the registration the one that counts and hands it to its lane, unless the reader has left already.</summary>
    public void Activate(ObservationRegistration registration)
    {
        lock (_gate)
        {
            if (_isClosed) { return; }
            _registration = registration;
        }
        registration.Lane.Post(registration);
    }

    /// <summary>From now on nothing is attached any more; the registration there is.</summary>
    protected ObservationRegistration? Close()
    {
        lock (_gate)
        {
            if (_isClosed) { return null; }
            _isClosed = true;
        }
        OnClosed();
        return _registration;
    }

    /// <summary>Ends with an error that cannot be healed.</summary>
    protected void GiveUp(ObservationContext context, Exception error)
    {
        Close();
        context.Feed.End(ObservationEnd.Failed, error);
    }

    protected virtual void OnClosed()
    {
    }
}
