using System.Net.Sockets;
using CoAP.Exchanges;
using CoAP.Lanes;

namespace CoAP.Observing;

/// <summary>The home of an observation of a client: finds the server by its name again, and opens the next connection when one has ended.</summary>
internal sealed class ClientObservationHome(ClientObservations observations, ClientRouter router, RequestTarget target) : ObservationHome
{
    private ITimer? _timer;
    private ObservationLink? _link;
    private int _attempt;
    private int _count;
    private int _hasReopened;

    public override async ValueTask StartAsync(ObservationLink link, CancellationToken cancellationToken)
    {
        Begin(link);
        var places = await router.Addresses.ResolveAsync(target, cancellationToken).ConfigureAwait(false);
        _count = places.Count;
        while (true)
        {
            var place = places[_attempt % places.Count];
            try
            {
                Bind(await router.OpenAsync(target, place, _attempt + 1 >= places.Count, cancellationToken).ConfigureAwait(false), place, link);
                return;
            }
            catch (CoapTransportException) when (++_attempt < places.Count)
            {
                // The next address of the name has its turn.
            }
        }
    }

    public override void Start(ObservationLink link, CancellationToken cancellationToken)
    {
        Begin(link);
        var places = router.Addresses.Resolve(target);
        _count = places.Count;
        while (true)
        {
            var place = places[_attempt % places.Count];
            try
            {
                var channel = router.Open(target, place, _attempt + 1 >= places.Count, cancellationToken);
                ((ChannelHandle)channel).Lane.ThrowIfOwnedByCaller();
                Bind(channel, place, link);
                return;
            }
            catch (CoapTransportException) when (++_attempt < places.Count)
            {
                // As above.
            }
        }
    }

    public override void Retry(LaneObservation attachment)
    {
        // A connection that lives is the right one still.
        if (attachment.Lane.IsReliable) { attachment.Register(); }
        else { Off(home => _ = home.RelocateAsync(attachment)); }
    }

    public override void Lost(LaneObservation attachment, Exception error)
    {
        if (attachment.Link.Subscription.WasActive) { HealLater(attachment.Link, error); }
        else if (error is CoapTransportException { IsUnsent: true } && Interlocked.Exchange(ref _hasReopened, 1) == 0)
        {
            // The connection ended before the request left (RFC 8323, section 3): the next one takes it.
            Off(static home => _ = home.ReconnectAsync());
        }
        else if (error.InnerException is SocketException && ++_attempt < _count) { Off(static home => _ = home.ReconnectAsync()); }
        else { GiveUp(attachment.Link, error); }
    }

    /// <summary>The client ends.</summary>
    public void Stop()
    {
        if (_link is { } link) { GiveUp(link, Ended()); }
    }

    protected override void OnClosed()
    {
        _timer?.Dispose();
        observations.Remove(this);
    }

    private static CoapTransportException Ended() => new("The endpoint has ended.");

    // Asking for a name's addresses may take a while; a lane does not wait for it.
    private void Off(Action<ClientObservationHome> work) => ThreadPool.UnsafeQueueUserWorkItem(work, this, preferLocal: false);

    private void Begin(ObservationLink link)
    {
        _link = link;
        observations.Add(this);
    }

    private void Bind(IChannel channel, Place place, ObservationLink link) => Attach(LaneObservation.Of((ChannelHandle)channel, target.RequestOver(channel, place.Address), link));

    /// <summary>Registers again where the name points to by now.</summary>
    private async Task RelocateAsync(LaneObservation attachment)
    {
        try
        {
            router.Addresses.Forget(target);
            var places = await router.Addresses.ResolveAsync(target, CancellationToken.None).ConfigureAwait(false);
            var place = places[++_attempt % places.Count];
            if (place.Peer == attachment.Key.Peer)
            {
                attachment.Lane.Post(new LaneAction(attachment.Register));
                return;
            }
            var channel = await router.OpenAsync(target, place, mayWait: true, CancellationToken.None).ConfigureAwait(false);
            attachment.Lane.Post(new LaneAction(() => Move(attachment, channel, place)));
        }
        catch (CoapException exception)
        {
            attachment.Lane.Post(new LaneAction(() => attachment.RegistrationFailed(exception)));
        }
        catch (ObjectDisposedException)
        {
            GiveUp(attachment.Link, Ended());
        }
    }

    // On the lane that the observation leaves: what it takes along belongs to one lane at a time.
    private void Move(LaneObservation attachment, IChannel channel, Place place)
    {
        attachment.Detach();
        attachment.Link.Subscription.Detach(0);
        try { Bind(channel, place, attachment.Link); }
        catch (ArgumentException exception)
        {
            GiveUp(attachment.Link, exception);
        }
    }

    private void HealLater(ObservationLink link, Exception error)
    {
        if (IsOver) { return; }
        var wait = link.Subscription.Detach(Random.Shared.NextDouble());
        link.Feed.Report(link.Subscription.State, error);
        var timer = observations.Time.CreateTimer(
            static state => _ = ((ClientObservationHome)state!).ReconnectAsync(), this, TimeSpan.FromTicks(wait), Timeout.InfiniteTimeSpan);
        Interlocked.Exchange(ref _timer, timer)?.Dispose();
        if (IsOver) { timer.Dispose(); }
    }

    private async Task ReconnectAsync()
    {
        var link = _link!;
        try
        {
            router.Addresses.Forget(target);
            var places = await router.Addresses.ResolveAsync(target, CancellationToken.None).ConfigureAwait(false);
            var place = places[_attempt % places.Count];
            Bind(await router.OpenAsync(target, place, mayWait: true, CancellationToken.None).ConfigureAwait(false), place, link);
        }
        catch (CoapException exception) when (link.Subscription.WasActive)
        {
            _attempt++;
            HealLater(link, exception);
        }
        catch (Exception exception) when (exception is CoapException or ArgumentException)
        {
            GiveUp(link, exception);
        }
        catch (ObjectDisposedException)
        {
            GiveUp(link, Ended());
        }
    }
}
