namespace CoAP.Observing;

/// <summary>
/// Connects an observation that a user holds with what serves it, through all steps and senders between them. A step may begin it several
/// times; each attempt is connected until it fails. Safe for concurrent use.
/// </summary>
/// <param name="stateChanges">Raises the event of the observation.</param>
#pragma warning disable CA1001 // A source without a timer holds no system resource.
internal sealed class ObservationLink(StateChangeNotifier stateChanges)
{
#pragma warning restore CA1001
    private readonly Lock _gate = new();
    private readonly CancellationTokenSource _suspending = new();
    private ISubscriptionStore? _store;
    private bool _hasEnded;
    private volatile ObservationContext? _context;

    /// <summary>The request as the user gave it.</summary>
    public required CoapRequest Request { get; init; }

    /// <summary>The token in the store; <see langword="null"/> if the observation is not stored.</summary>
    public Token? Stored { get; set; }

    /// <summary>The observation as it is served; <see langword="null"/> between attempts, and if a sender of the user's serves it.</summary>
    public ObservationContext? Context => _context;

    /// <summary>The failure of the last attempt; <see langword="null"/> if none has failed.</summary>
    public Exception? LastError { get; private set; }

    /// <summary>Whether the reader has suspended the observation.</summary>
    public bool IsSuspended { get; private set; }

    /// <summary>Canceled when the reader suspends the observation while nothing serves it.</summary>
    public CancellationToken Suspended => _suspending.Token;

    /// <summary>Connects what serves the observation from now on.</summary>
    public void Attach(ObservationContext context, ObservationEnvironment environment, ISubscriptionStore? store)
    {
        lock (_gate)
        {
            (stateChanges.Runtime, stateChanges.Log, _store) = (environment.Runtime, environment.Log, store);
            _context = context;
            if (IsSuspended) { context.Leave(ObservationEnd.Suspended); }
        }
    }

    /// <summary>Tells the user of the states of an attempt that has succeeded. The end of one that fails is not that of the observation.</summary>
    public void Start(ObservationContext context)
    {
        context.Feed.Changed = stateChanges.Changed;
        stateChanges.Changed();
    }

    /// <summary>Disconnects an attempt that has failed, or that a step has dropped. Its state is not that of the observation any more.</summary>
    public void Detach(ObservationContext context, Exception? error = null)
    {
        lock (_gate)
        {
            LastError = error ?? LastError;
            if (_hasEnded) { return; }      // the reader has left, and the last state remains
            context.Feed.Changed = null;
            if (_context == context) { _context = null; }
        }
    }

    /// <summary>Ends the reading without a message to the server.</summary>
    public void Suspend()
    {
        lock (_gate)
        {
            IsSuspended = true;
            if (_context is { } context) { context.Leave(ObservationEnd.Suspended); }
            else { _suspending.Cancel(); }
        }
    }

    /// <summary>Stores the observation with its token. Called when the server has confirmed it.</summary>
    public void Store(ObservationContext context)
    {
        if (_store is not { } store || Stored == context.Token) { return; }
        var former = Stored;
        Stored = context.Token;
        Call(context, () =>
        {
            if (former is { } token) { store.Remove(token); }
            store.Save(StoredSubscription.Of(Request, context.Token));
        });
    }

    /// <summary>Ends what serves the observation, because the reading has ended, and removes the observation from the store if it is over.</summary>
    /// <param name="reason">The reason, unless what serves it has ended before.</param>
    public void End(ObservationEnd reason)
    {
        ObservationContext? context;
        lock (_gate) { (_hasEnded, context) = (true, _context); }
        context?.Leave(reason);
        // An observation that the network or the end of the client has ended stays in the store: a later run may continue it.
        if (IsSuspended || (context?.Feed.EndReason ?? reason) is ObservationEnd.Failed or ObservationEnd.Suspended) { return; }
        if (_store is not { } store || Stored is not { } token) { return; }
        Stored = null;
        Call(context, () => store.Remove(token));
    }

    // The edge to the user's store: without it the observation goes on, as it does on a server.
    private void Call(ObservationContext? context, Action call)
    {
        try { call(); }
        catch (Exception exception)
        {
            if (context is null) { LastError = exception; }
            else { context.Feed.Note(exception); }
        }
    }
}
