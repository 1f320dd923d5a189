using CoAP.Observing;
using CoAP.Options;

namespace CoAP;

/// <summary>A resource under observation, to be read with <c>await foreach</c> (RFC 7641).</summary>
/// <remarks>
/// <para>
/// Registers when the reading begins, and may be read once. The sequence is of states, not of events: a slow reader misses older states
/// (<see cref="ObservationSettings.KeepNewest"/>). It heals itself: it registers again after Max-Age and a random wait, after a failure, and on a
/// new connection. Leaving the loop cancels it on the wire.
/// </para>
/// <para>
/// It ends after the first response without Observe, which is delivered (<see cref="ObservationEnd.NotObserved"/>), and after a response of class 4
/// or 5, which is delivered as the last one. Where the first registration fails, or nothing can be healed, the reader gets the exception.
/// </para>
/// <para>All but the reading is safe for concurrent use.</para>
/// </remarks>
public sealed class CoapObservation : IAsyncEnumerable<Notification>
{
    private readonly ObservationConnector _connector;
    private readonly ObservationContext _context;
    private readonly CancellationToken _cancellationToken;
    private readonly ISubscriptionStore? _store;
    private readonly StateChangeNotifier _stateChanges;
    private bool _isStored;
    private int _isRead;

    internal CoapObservation(
        CoapRequest request, ObservationConnector connector, ObservationEnvironment environment, ISubscriptionStore? store, Token? token,
        CancellationToken cancellationToken)
    {
        (Request, _connector, _store, _cancellationToken) = (request, connector, store, cancellationToken);
        _isStored = token is not null;
        var feed = new ObservationFeed(environment.Settings.KeepNewest);
        _stateChanges = new StateChangeNotifier(this, environment.Logger);
        feed.Changed = _stateChanges.Changed;
        _context = new ObservationContext(feed, connector, environment.Settings, token ?? ObservationContext.NewToken(), environment.Time.GetTimestamp());
    }

    /// <summary>Raised after <see cref="State"/> has changed, on the thread pool and one call at a time; states in quick succession may be left out.</summary>
    public event EventHandler StateChanged
    {
        add => _stateChanges.Handlers += value;
        remove => _stateChanges.Handlers -= value;
    }

    /// <summary>What is observed.</summary>
    public CoapRequest Request { get; }

    /// <summary>Where the observation is in its life.</summary>
    public ObservationState State => _context.Feed.State;

    /// <summary>Why it has ended; nothing before.</summary>
    public ObservationEnd? EndReason => _context.Feed.EndReason;

    /// <summary>What went wrong last, healed or not: a registration that failed, or a connection that ended.</summary>
    public Exception? LastError => _context.Feed.LastError;

    /// <summary>How many notifications were replaced by newer ones before the reader took them.</summary>
    public long Skipped => _context.Feed.Skipped;

    internal ObservationContext Context => _context;

    /// <summary>Registers, and reads notification after notification without holding a thread.</summary>
    /// <param name="cancellationToken">Ends the reading; so does the token that the observation was made with.</param>
    /// <exception cref="InvalidOperationException">It is read already.</exception>
    /// <exception cref="CoapTimeoutException">Nobody answered the first registration.</exception>
    /// <exception cref="CoapResetException">The peer rejected the first registration.</exception>
    /// <exception cref="CoapTransportException">The network failed, or the endpoint has ended.</exception>
    /// <exception cref="OperationCanceledException">A token fired.</exception>
    public async IAsyncEnumerator<Notification> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        BeginReading();
        using var either = CancellationTokenSource.CreateLinkedTokenSource(_cancellationToken, cancellationToken);
        try
        {
            await _connector.StartAsync(_context, either.Token).ConfigureAwait(false);
            while (true)
            {
                await _context.Feed.WaitAsync(either.Token).ConfigureAwait(false);
                if (Take(out var isOver) is { } next) { yield return next; }
                if (isOver) { yield break; }
            }
        }
        finally { End(); }
    }

    /// <summary>Ends the reading, but leaves the registration with the server and in the store, so that a later run of the client can go on with it.</summary>
    public void Suspend() => Leave(ObservationEnd.Suspended);

    internal IEnumerator<Notification> GetBlockingEnumerator()
    {
        BeginReading();
        try
        {
            _connector.Start(_context, _cancellationToken);
            while (true)
            {
                _context.Feed.Park(_cancellationToken);
                if (Take(out var isOver) is { } next) { yield return next; }
                if (isOver) { yield break; }
            }
        }
        finally { End(); }
    }

    /// <exception cref="ArgumentException">The method cannot be observed.</exception>
    internal static CoapRequest Validate(CoapRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (request.Method != RequestCode.Get && request.Method != RequestCode.Fetch)
        {
            throw new ArgumentException($"A request {request.Method} cannot be observed; GET and FETCH can (RFC 8132, section 2.4).", nameof(request));
        }
        if (request.Options.Contains<Observe>()) { throw new ArgumentException("The Observe option is the observation's own.", nameof(request)); }
        if (request.Body is null && request.ResponseBody is null && request.ResumeFrom is null) { return request; }
        throw new ArgumentException("The bodies of an observation are kept in memory: its request is sent again, and its notifications replace each other.", nameof(request));
    }

    private void BeginReading()
    {
        if (Interlocked.Exchange(ref _isRead, 1) != 0) { throw new InvalidOperationException("The observation is read already; make another one."); }
    }

    // What the server has never confirmed is not worth asking for again.
    private Notification? Take(out bool isOver)
    {
        var next = _context.Feed.Take(out isOver);
        if (next?.Sequence is null || _isStored || _store is null) { return next; }
        _isStored = true;
        _store.Save(StoredSubscription.Of(Request, _context.Token));
        return next;
    }

    private void End()
    {
        Leave(ObservationEnd.Cancelled);
        // What the network or the end of the client has ended may be taken up again.
        if (_isStored && EndReason is not (ObservationEnd.Failed or ObservationEnd.Suspended)) { _store?.Remove(_context.Token); }
    }

    private void Leave(ObservationEnd reason)
    {
        _context.Feed.End(reason);
        _connector.Leave(reason);
    }
}
