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

    /// <summary>The URI against which relative URIs are resolved; <see langword="null"/> if there is none.</summary>
    public CoapUri? Base { get; init; }

    public TimeProvider Time => environment.Time;

    public CoapObservation Observe(CoapRequest request, Token? token, CancellationToken cancellationToken)
    {
        request = CoapObservation.Validate(request);
        if (Base is not null) { request = request.ResolvedAgainst(Base); }
        var target = RequestTarget.OfOne(request);
        var connector = new ClientObservationConnector(this, router, target);
        var observation = new CoapObservation(request, connector, environment, environment.Settings.Store, token, cancellationToken);
        observation.Context.Feed.Arrived = cache(target);
        return observation;
    }

    /// <summary>Returns the observations in the store.</summary>
    public IReadOnlyList<CoapObservation> Restore(CancellationToken cancellationToken) =>
        [.. (environment.Settings.Store?.List() ?? []).Select(stored => Observe(stored.ToRequest(), stored.Token, cancellationToken))];

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
