using System.Net.Sockets;
using CoAP.Exchanges;
using CoAP.Lanes;

namespace CoAP.Observing;

/// <summary>Connects an observation of a client. After a failure it resolves the server's name again and opens a new connection.</summary>
internal sealed class ClientObservationConnector(ClientObservations observations, ClientRouter router, RequestTarget target) : ObservationConnector
{
    private CancellationTokenSource? _closing;      // ends attempts when the reader leaves
    private ITimer? _timer;
    private ObservationContext? _context;
    private ConnectLimit? _limit;       // of the first registration
    private int _attempt;
    private int _count;
    private int _hasReopened;

    public override async ValueTask StartAsync(ObservationContext context, CancellationToken cancellationToken)
    {
        Begin(context, cancellationToken);
        try { await OpenAsync(context, _limit?.Token ?? cancellationToken).ConfigureAwait(false); }
        catch (OperationCanceledException) when (_limit is { IsOver: true } limit) { throw limit.ToError(); }
    }

    public override void Start(ObservationContext context, CancellationToken cancellationToken)
    {
        Begin(context, cancellationToken);
        try { Open(context, _limit?.Token ?? cancellationToken); }
        catch (OperationCanceledException) when (_limit is { IsOver: true } limit) { throw limit.ToError(); }
    }

    public override void Retry(ObservationRegistration registration)
    {
        // An open connection still leads to the server. Datagrams may have to go to another address of the name.
        if (registration.Lane.IsReliable) { registration.Register(); }
        else { RunOffLane(connector => _ = connector.RelocateAsync(registration)); }
    }

    public override void OnLost(ObservationRegistration registration, Exception error)
    {
        if (registration.Context.Subscription.WasActive) { ReconnectLater(registration.Context, error); }
        else if (error is CoapTransportException { IsUnsent: true } && Interlocked.Exchange(ref _hasReopened, 1) == 0)
        {
            // The connection ended before the request left (RFC 8323, section 3): the next one takes it.
            RunOffLane(static connector => _ = connector.ReconnectAsync());
        }
        else if (error.InnerException is SocketException && ++_attempt < _count)
        {
            RunOffLane(static connector => _ = connector.ReconnectAsync());
        }
        else { GiveUp(registration.Context, error); }
    }

    /// <summary>Ends the observation. Called when the client ends.</summary>
    public void Stop()
    {
        if (_context is { } context) { GiveUp(context, CoapTransportException.ClientEnded()); }
    }

    protected override void OnClosed()
    {
        _timer?.Dispose();
        _closing?.Cancel();
        _limit?.Dispose();
        observations.Remove(this);
    }

    // Name resolution may take long, so it must not run on a lane.
    private void RunOffLane(Action<ClientObservationConnector> work) => observations.Runtime.Queue(() => work(this));

    private void Begin(ObservationContext context, CancellationToken cancellationToken)
    {
        _context = context;
        _closing = CancellationTokenSource.CreateLinkedTokenSource(CancellationToken.None);
        observations.Add(this);
        _limit = ConnectLimit.Of(target.Within(observations.Timeout, observations.Time), observations.Time, cancellationToken);
    }

    private async ValueTask OpenAsync(ObservationContext context, CancellationToken cancellationToken)
    {
        var places = await router.Addresses.ResolveAsync(target, cancellationToken).ConfigureAwait(false);
        _count = places.Count;
        while (true)
        {
            var place = places[_attempt % places.Count];
            try
            {
                Bind(await router.OpenAsync(target, place, _attempt + 1 >= places.Count, cancellationToken).ConfigureAwait(false), place, context);
                return;
            }
            catch (CoapTransportException) when (++_attempt < places.Count)
            {
                // Try the next address of the name.
            }
        }
    }

    private void Open(ObservationContext context, CancellationToken cancellationToken)
    {
        var places = router.Addresses.Resolve(target, cancellationToken);
        _count = places.Count;
        while (true)
        {
            var place = places[_attempt % places.Count];
            try
            {
                var channel = router.Open(target, place, _attempt + 1 >= places.Count, cancellationToken);
                ((ChannelHandle)channel).Lane.ThrowIfOwnedByCaller();
                Bind(channel, place, context);
                return;
            }
            catch (CoapTransportException) when (++_attempt < places.Count)
            {
                // As above.
            }
        }
    }

    private void Bind(IChannel channel, Place place, ObservationContext context) =>
        Activate(ObservationRegistration.Of((ChannelHandle)channel, target.RequestOver(channel, place.Address), context));

    /// <summary>Resolves the name and registers again at the next address.</summary>
    private async Task RelocateAsync(ObservationRegistration registration)
    {
        try
        {
            router.Addresses.Forget(target);
            var places = await router.Addresses.ResolveAsync(target, _closing!.Token).ConfigureAwait(false);
            var place = places[++_attempt % places.Count];
            if (place.Peer == registration.Key.Peer)
            {
                registration.Lane.Post(new LaneAction(registration.Register));
                return;
            }
            var channel = await router.OpenAsync(target, place, mayWait: true, _closing!.Token).ConfigureAwait(false);
            registration.Lane.Post(new LaneAction(() => Move(registration, channel, place)));
        }
        catch (OperationCanceledException)
        {
            // The reader has left.
        }
        catch (CoapException exception) { registration.Lane.Post(new LaneAction(() => registration.RegistrationFailed(exception))); }
        catch (ObjectDisposedException) { GiveUp(registration.Context, CoapTransportException.ClientEnded()); }
    }

    // Runs on the lane that the observation leaves: one lane at a time owns the context.
    private void Move(ObservationRegistration registration, IChannel channel, Place place)
    {
        registration.Detach();
        registration.Context.Subscription.Detach(0);
        try { Bind(channel, place, registration.Context); }
        catch (ArgumentException exception) { Refused(registration.Context, exception); }
    }

    // The server may have announced a Max-Message-Size that the request exceeds. An observation that it has accepted before goes on trying.
    private void Refused(ObservationContext context, ArgumentException exception)
    {
        if (context.Subscription.WasActive) { ReconnectLater(context, exception); }
        else { GiveUp(context, exception); }
    }

    private void ReconnectLater(ObservationContext context, Exception error)
    {
        if (IsClosed) { return; }
        var wait = context.Subscription.Detach(observations.Runtime.NextDouble());
        context.Feed.Report(context.Subscription.State, error);
        var timer = observations.Time.CreateTimer(
            static state => _ = ((ClientObservationConnector)state!).ReconnectAsync(), this, TimeSpan.FromTicks(wait), Timeout.InfiniteTimeSpan);
        Interlocked.Exchange(ref _timer, timer)?.Dispose();
        if (IsClosed) { timer.Dispose(); }
    }

    private async Task ReconnectAsync()
    {
        var context = _context!;
        var limit = context.Subscription.WasActive ? null : _limit;
        try
        {
            var token = limit?.Token ?? _closing!.Token;
            router.Addresses.Forget(target);
            var places = await router.Addresses.ResolveAsync(target, token).ConfigureAwait(false);
            var place = places[_attempt % places.Count];
            Bind(await router.OpenAsync(target, place, mayWait: true, token).ConfigureAwait(false), place, context);
        }
        catch (OperationCanceledException)
        {
            // Otherwise the reader has left.
            if (limit is { IsOver: true }) { GiveUp(context, limit.ToError()); }
        }
        catch (CoapException exception) when (context.Subscription.WasActive)
        {
            _attempt++;
            ReconnectLater(context, exception);
        }
        catch (CoapException exception) { GiveUp(context, exception); }
        catch (ArgumentException exception) { Refused(context, exception); }
        catch (ObjectDisposedException) { GiveUp(context, CoapTransportException.ClientEnded()); }
    }
}
