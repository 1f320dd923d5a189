using System.Diagnostics;
using CoAP.Exchanges;

namespace CoAP.Observing;

/// <summary>The states of an observed resource, from a client or a channel of the library.</summary>
internal sealed class ObservationAnswers : AnswerStream
{
    private readonly ObservationLink _link;
    private Notification? _newest;

    /// <param name="request">The request, which has an <see cref="ObservationLink"/>.</param>
    /// <param name="connector">Finds the channels.</param>
    /// <param name="environment">The settings, clock, logger and runtime.</param>
    /// <param name="store">Keeps the observation for the next run of the client; <see langword="null"/> if nothing does.</param>
    public ObservationAnswers(CoapRequest request, ObservationConnector connector, ObservationEnvironment environment, ISubscriptionStore? store)
    {
        _link = (ObservationLink)request.Details!;
        var feed = new ObservationFeed(environment.Settings.MaxQueuedNotifications, environment.Runtime);
        Context = new ObservationContext(feed, connector, environment.Settings)
        {
            Token = _link.Stored ?? ObservationContext.NewToken(environment.Runtime),
            StartedAt = environment.Time.GetTimestamp(),
            Caller = Activity.Current?.Context ?? default,
        };
        _link.Attach(Context, environment, store);
    }

    public ObservationContext Context { get; }

    public override Notification? Newest => _newest;

    protected override ValueTask BeginAsync(CancellationToken cancellationToken) =>
        IsOver ? ValueTask.CompletedTask : Context.Connector.StartAsync(Context, cancellationToken);

    protected override void Begin(CancellationToken cancellationToken)
    {
        if (!IsOver) { Context.Connector.Start(Context, cancellationToken); }
    }

    protected override async ValueTask<CoapResponse?> TakeAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (TakeNow(out var isOver) is { } next) { return next; }
            if (isOver) { return null; }
            await Context.Feed.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    protected override CoapResponse? Take(CancellationToken cancellationToken)
    {
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (TakeNow(out var isOver) is { } next) { return next; }
            if (isOver) { return null; }
            Context.Feed.Wait(cancellationToken);
        }
    }

    protected override void OnStarted() => _link.Start(Context);

    protected override void OnFailed(Exception error) => _link.Detach(Context, error);

    protected override void Close()
    {
        _link.Detach(Context);
        Context.Leave(ObservationEnd.Canceled);
    }

    private bool IsOver => Context.Feed.State == ObservationState.Ended;

    private CoapResponse? TakeNow(out bool isOver)
    {
        if (Context.Feed.Take(out isOver) is not { } next) { return null; }
        _newest = next;
        if (next.Sequence is not null) { _link.Store(Context); }
        return next.Response;
    }
}
