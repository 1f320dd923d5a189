using System.Diagnostics;
using CoAP.Observing;
using CoAP.Options;

namespace CoAP;

/// <summary>An observation of a resource. Read its notifications with <c>await foreach</c> (RFC 7641).</summary>
/// <remarks>
/// <para>
/// An observation registers when you start to read it. You can read it once. Leaving the loop cancels the registration. The sequence contains
/// states, not events: a slow reader misses older states (see <see cref="ClientObservationSettings.MaxQueuedNotifications"/>).
/// </para>
/// <para>
/// The observation recovers by itself. It registers again when Max-Age has expired, after a failure, and on a new connection. If the first
/// registration fails, the body of the first notification cannot be fetched, or recovery is impossible, the reader gets the exception.
/// </para>
/// <para>
/// A response without an Observe option ends the observation (<see cref="ObservationEnd.NotObserved"/>). So does a response of class 4 or 5. The
/// reader gets this response as the last notification.
/// </para>
/// <para>Safe for concurrent use, except that there is one reader.</para>
/// </remarks>
public sealed class CoapObservation : IAsyncEnumerable<Notification>
{
    private readonly ObservationConnector _connector;
    private readonly CancellationToken _cancellationToken;
    private readonly ISubscriptionStore? _store;
    private readonly TimeProvider _time;
    private readonly StateChangeNotifier _stateChanges;
    private bool _isStored;
    private int _isRead;

    internal CoapObservation(
        CoapRequest request, ObservationConnector connector, ObservationEnvironment environment, ISubscriptionStore? store, Token? token,
        CancellationToken cancellationToken)
    {
        (Request, _connector, _store, _time, _cancellationToken) = (request, connector, store, environment.Time, cancellationToken);
        _isStored = token is not null;
        var feed = new ObservationFeed(environment.Settings.MaxQueuedNotifications, environment.Runtime);
        _stateChanges = new StateChangeNotifier(this, environment.Log, environment.Runtime);
        feed.Changed = _stateChanges.Changed;
        Context = new ObservationContext(feed, connector, environment.Settings)
        {
            Token = token ?? ObservationContext.NewToken(environment.Runtime),
        };
    }

    /// <summary>
    /// Raised on the thread pool after <see cref="State"/> has changed, one call at a time. States that follow each other quickly may be skipped.
    /// </summary>
    public event EventHandler StateChanged
    {
        add => _stateChanges.Handlers += value;
        remove => _stateChanges.Handlers -= value;
    }

    /// <summary>The request that registers the observation.</summary>
    public CoapRequest Request { get; }

    /// <summary>The current state of the observation.</summary>
    public ObservationState State => Context.Feed.State;

    /// <summary>The reason for the end; <see langword="null"/> while the observation has not ended.</summary>
    public ObservationEnd? EndReason => Context.Feed.EndReason;

    /// <summary>
    /// The last failure, such as a failed registration, the end of a connection, or an exception of the store. It stays set after recovery.
    /// <see langword="null"/> if there was none.
    /// </summary>
    public Exception? LastError => Context.Feed.LastError;

    /// <summary>The number of notifications that newer ones replaced before the reader took them.</summary>
    public long Skipped => Context.Feed.Skipped;

    internal ObservationContext Context { get; }

    /// <summary>Registers and returns the notifications.</summary>
    /// <param name="cancellationToken">Cancels the observation, as does the token that the observation was created with.</param>
    /// <exception cref="InvalidOperationException">The observation has been read before.</exception>
    /// <exception cref="CoapTimeoutException">The server did not answer the first registration in time.</exception>
    /// <exception cref="CoapResetException">The peer rejected the first registration.</exception>
    /// <exception cref="CoapTransferException">The body of the first notification could not be fetched.</exception>
    /// <exception cref="CoapTransportException">The network failed, the client was disposed, or the server of the channel was stopped.</exception>
    /// <exception cref="OperationCanceledException">A token was canceled.</exception>
    public async IAsyncEnumerator<Notification> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        BeginReading();
        using var either = CancellationTokenSource.CreateLinkedTokenSource(_cancellationToken, cancellationToken);
        try
        {
            await StartAsync(either.Token).ConfigureAwait(false);
            while (true)
            {
                if (Take(out var isOver) is { } next) { yield return next; }
                else if (isOver) { yield break; }
                else { await Context.Feed.WaitAsync(either.Token).ConfigureAwait(false); }
            }
        }
        finally { End(); }
    }

    /// <summary>
    /// Ends the reading, but keeps the registration at the server and in the store. A later run of the client can continue the observation.
    /// </summary>
    public void Suspend() => Leave(ObservationEnd.Suspended);

    internal IEnumerator<Notification> GetBlockingEnumerator()
    {
        BeginReading();
        try
        {
            Start();
            while (true)
            {
                if (Take(out var isOver) is { } next) { yield return next; }
                else if (isOver) { yield break; }
                else { Context.Feed.Wait(_cancellationToken); }
            }
        }
        finally { End(); }
    }

    /// <summary>Returns the request if it can be observed.</summary>
    /// <exception cref="ArgumentException">The request cannot be observed.</exception>
    internal static CoapRequest Validate(CoapRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (!request.Method.IsSafe)
        {
            throw new ArgumentException(
                $"A {request.Method} request cannot be observed; only GET and FETCH requests can (RFC 8132, section 2.4).", nameof(request));
        }
        if (request.Options.Contains<Observe>())
        {
            throw new ArgumentException("The request has an Observe option. The observation sets this option itself.", nameof(request));
        }
        if (request.Body is null && request.ResponseBody is null && request.ResumeFrom is null) { return request; }
        throw new ArgumentException("A request to observe cannot have a Body, ResponseBody or ResumeFrom. Use Payload.", nameof(request));
    }

    private void BeginReading()
    {
        if (Interlocked.Exchange(ref _isRead, 1) != 0) { throw new InvalidOperationException("An observation can be read only once. Create a new one."); }
        Context.StartedAt = _time.GetTimestamp();
        Context.Caller = Activity.Current?.Context ?? default;
    }

    private async ValueTask StartAsync(CancellationToken cancellationToken)
    {
        try { await _connector.StartAsync(Context, cancellationToken).ConfigureAwait(false); }
        catch (CoapException exception)
        {
            Context.Feed.End(ObservationEnd.Failed, exception);
            throw;
        }
    }

    private void Start()
    {
        try { _connector.Start(Context, _cancellationToken); }
        catch (CoapException exception)
        {
            Context.Feed.End(ObservationEnd.Failed, exception);
            throw;
        }
    }

    // Only an observation that the server has confirmed is stored.
    private Notification? Take(out bool isOver)
    {
        var next = Context.Feed.Take(out isOver);
        if (next?.Sequence is null || _isStored || _store is null) { return next; }
        _isStored = true;
        CallStore(StoredSubscription.Of(Request, Context.Token), static (store, subscription) => store.Save(subscription));
        return next;
    }

    private void End()
    {
        Leave(ObservationEnd.Canceled);
        // An observation that the network or the end of the client has ended stays in the store: a later run may continue it.
        if (!_isStored || EndReason is ObservationEnd.Failed or ObservationEnd.Suspended) { return; }
        CallStore(Context.Token, static (store, token) => store.Remove(token));
    }

    // The edge to the user's store: without it the observation goes on, as it does on a server.
    private void CallStore<T>(T argument, Action<ISubscriptionStore, T> call)
    {
        try { call(_store!, argument); }
        catch (Exception exception)
        {
            Context.Feed.Note(exception);
        }
    }

    private void Leave(ObservationEnd reason)
    {
        Context.Feed.End(reason);
        _connector.Leave(reason);
    }
}
