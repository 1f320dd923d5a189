using CoAP.Exchanges;
using CoAP.Runtimes;
using CoAP.Vocabulary;

namespace CoAP.Observing;

/// <summary>Creates the observations of a client, and ends them with the client. Safe for concurrent use.</summary>
/// <param name="environment">The settings and the clock.</param>
/// <param name="router">Finds the servers.</param>
/// <param name="cache">Returns the action that stores notifications of a target in the client's cache; <see langword="null"/> without a cache.</param>
internal sealed class ClientObservations(ObservationEnvironment environment, ClientRouter router, Func<RequestTarget, Action<CoapResponse>?> cache)
{
    private readonly Lock _gate = new();
    private readonly HashSet<ClientObservationConnector> _active = [];
    private bool _hasEnded;

    /// <summary>The longest time of a registration; <see langword="null"/> if it is not limited.</summary>
    public TimeSpan? Timeout { get; init; }

    /// <summary>The client, whose name is in the error of an observation that starts after its end.</summary>
    public required object Owner { get; init; }

    public EndpointRuntime Runtime => environment.Runtime;

    public TimeProvider Time => environment.Time;

    /// <summary>Returns the answers to a request with an absolute URI.</summary>
    /// <exception cref="ArgumentException">The request has no absolute URI, or one that names a group.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    public ObservationAnswers Observe(CoapRequest request)
    {
        var target = RequestTarget.OfOne(request);
        var answers = new ObservationAnswers(request, new ClientObservationConnector(this, router, target), environment, environment.Settings.Store);
        answers.Context.Feed.Arrived = cache(target);
        return answers;
    }

    /// <summary>Returns the observations in the store.</summary>
    /// <param name="sender">The client.</param>
    /// <param name="cancellationToken">Cancels the observations.</param>
    public IReadOnlyList<CoapObservation> Restore(IRequestSender sender, CancellationToken cancellationToken) =>
        [.. (environment.Settings.Store?.List() ?? []).Select(stored => new CoapObservation(sender, stored.ToRequest(), cancellationToken, stored.Token))];

    /// <summary>Adds an observation when its reading starts.</summary>
    /// <exception cref="ObjectDisposedException">The client has ended.</exception>
    public void Add(ClientObservationConnector observation)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_hasEnded, Owner);
            _active.Add(observation);
        }
    }

    public void Remove(ClientObservationConnector observation)
    {
        lock (_gate) { _active.Remove(observation); }
    }

    /// <summary>Ends all observations. Called when the client ends.</summary>
    public void Stop()
    {
        ClientObservationConnector[] stopping;
        lock (_gate)
        {
            _hasEnded = true;
            stopping = [.. _active];
        }
        foreach (var observation in stopping) { observation.Stop(); }
        try { environment.Settings.Store?.Flush(); }
        catch (Exception exception) // The edge to the user's store: the client ends without it.
        {
            Log.ObserverStoreFailed(environment.Log.Logger, exception, default);
        }
    }
}
