using CoAP.Lanes;

namespace CoAP.Observing;

/// <summary>Decides on which channel an observation registers, first and after a failure.</summary>
internal abstract class ObservationConnector
{
    private readonly Lock _gate = new();
    private ObservationRegistration? _registration;
    private volatile bool _isClosed;

    /// <summary>Whether the reader has left or the observation has failed.</summary>
    public bool IsClosed => _isClosed;

    /// <summary>Opens the channel and starts the registration.</summary>
    public abstract ValueTask StartAsync(ObservationContext context, CancellationToken cancellationToken);

    /// <summary>Opens the channel and starts the registration. Blocks the calling thread.</summary>
    public abstract void Start(ObservationContext context, CancellationToken cancellationToken);

    /// <summary>Registers again after a failure and the wait, on the same channel or another one. Called on the lane.</summary>
    public abstract void Retry(ObservationRegistration registration);

    /// <summary>Handles the end of the channel or the failure of the first registration. Called on the lane, or on any thread if the lane has ended.</summary>
    public abstract void OnLost(ObservationRegistration registration, Exception error);

    /// <summary>Ends the observation and cancels its registration with the server. Called from any thread; only the first call has an effect.</summary>
    public void Leave(ObservationEnd reason)
    {
        if (Close() is { } registration) { registration.Lane.Post(new LaneAction(() => registration.Leave(reason))); }
    }

    /// <summary>Makes a registration the current one and posts it to its lane. Does nothing if the reader has left.</summary>
    /// <exception cref="InvalidOperationException">A synchronous handler runs on the lane.</exception>
    public void Activate(ObservationRegistration registration)
    {
        SynchronousCalls.CountRequest(registration.Lane.IsOwnedByCaller);
        lock (_gate)
        {
            if (_isClosed) { return; }
            _registration = registration;
        }
        registration.Lane.Post(registration);
    }

    /// <summary>Prevents further registrations. Returns the current one, or <see langword="null"/> if there is none or it was closed before.</summary>
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

    /// <summary>Ends the observation with an error that the reader gets.</summary>
    protected void GiveUp(ObservationContext context, Exception error)
    {
        Close();
        context.Feed.End(ObservationEnd.Failed, error);
    }

    /// <summary>Called once, when no further registration follows.</summary>
    protected virtual void OnClosed() { }
}
