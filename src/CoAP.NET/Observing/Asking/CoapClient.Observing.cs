using System.Net;
using CoAP.Exchanges;
using CoAP.Observing;

namespace CoAP;

/// <content>Observations.</content>
public sealed partial class CoapClient
{
    private readonly HashSet<ClientObservationHome> _observations = [];

    /// <summary>The clock.</summary>
    internal TimeProvider Time => _settings.TimeProvider;

    /// <summary>Observes a resource: <c>await foreach</c> over the result registers, and leaving the loop cancels (RFC 7641).</summary>
    /// <param name="uri">The resource, an absolute URI.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    public CoapObservation ObserveAsync(string uri, CancellationToken cancellationToken = default) =>
        ObserveAsync(new CoapRequest(RequestCode.Get, uri), cancellationToken);

    /// <summary>Observes what a GET or FETCH asks for: <c>await foreach</c> over the result registers, and leaving the loop cancels (RFC 7641; RFC 8132, section 2.4).</summary>
    /// <param name="request">Has an absolute URI and no Observe option.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    /// <exception cref="ArgumentException">The request has no absolute URI, cannot be observed, or has an Observe option of its own.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    public CoapObservation ObserveAsync(CoapRequest request, CancellationToken cancellationToken = default) => Observed(request, null, cancellationToken);

    /// <summary>Observes a resource: <c>foreach</c> over the result registers and blocks for each notification, and leaving the loop cancels (RFC 7641).</summary>
    /// <inheritdoc cref="ObserveAsync(string, CancellationToken)" path="/param"/>
    /// <inheritdoc cref="ObserveAsync(string, CancellationToken)" path="/exception"/>
    public BlockingObservation Observe(string uri, CancellationToken cancellationToken = default) => new(ObserveAsync(uri, cancellationToken));

    /// <summary>Observes what a GET or FETCH asks for: <c>foreach</c> over the result registers and blocks for each notification, and leaving the loop cancels.</summary>
    /// <inheritdoc cref="ObserveAsync(CoapRequest, CancellationToken)" path="/param"/>
    /// <inheritdoc cref="ObserveAsync(CoapRequest, CancellationToken)" path="/exception"/>
    public BlockingObservation Observe(CoapRequest request, CancellationToken cancellationToken = default) => new(ObserveAsync(request, cancellationToken));

    /// <summary>
    /// The observations that an earlier run of the client left in the store of <see cref="ObservationSettings.Store"/>. Reading one registers
    /// again with the same token; one that is not read stays in the store.
    /// </summary>
    public IReadOnlyList<CoapObservation> RestoreObservations(CancellationToken cancellationToken = default) =>
        [.. (_settings.Observations.Store?.List() ?? []).Select(stored => Observed(stored.ToRequest(), stored.Token, cancellationToken))];

    /// <summary>Where the name of a URI points to.</summary>
    internal async ValueTask<IReadOnlyList<Place>> ResolveAsync(RequestTarget target, CancellationToken cancellationToken) => _settings.Network is not null
        ? [new(PeerIdentity.From(_settings.NamesOnNetwork(target.Host)), Nowhere(target))]
        : PlacesOf(await _addresses.ResolveAsync(target.Host, cancellationToken).ConfigureAwait(false), target.Port);

    /// <summary>The same, blocking the calling thread.</summary>
    internal IReadOnlyList<Place> Resolve(in RequestTarget target) => _settings.Network is not null
        ? [new(PeerIdentity.From(_settings.NamesOnNetwork(target.Host)), Nowhere(target))]
        : PlacesOf(_addresses.Resolve(target.Host), target.Port);

    /// <summary>Has the name resolved anew.</summary>
    internal void ForgetAddresses(in RequestTarget target) => _addresses.HasFailed(target.Host, new CoapTransportException("The registration failed."));

    internal async ValueTask<ChannelHandle> OpenAsync(RequestTarget target, Place place, bool mayWait, CancellationToken cancellationToken) =>
        (ChannelHandle)await Mesh.OpenChannelAsync(target.Scheme, place.Peer, target.HostName, mayWait, cancellationToken).ConfigureAwait(false);

    internal ChannelHandle Open(in RequestTarget target, in Place place, bool mayWait, CancellationToken cancellationToken) =>
        (ChannelHandle)Mesh.OpenChannel(target.Scheme, place.Peer, target.HostName, mayWait, cancellationToken);

    internal void Remember(ClientObservationHome observation)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            _observations.Add(observation);
        }
    }

    internal void Forget(ClientObservationHome observation)
    {
        lock (_gate) { _observations.Remove(observation); }
    }

    private static Place[] PlacesOf(IReadOnlyList<IPAddress> addresses, int port) =>
        [.. addresses.Select(address => new IPEndPoint(address, port)).Select(place => new Place(PeerIdentity.From(place), place))];

    private CoapObservation Observed(CoapRequest request, Token? token, CancellationToken cancellationToken)
    {
        var target = RequestTarget.OfOne(CoapObservation.Checked(request));
        var observation = new CoapObservation(
            request, new ClientObservationHome(this, target), _settings.Observations, _settings.TimeProvider, _settings.LoggerFactory.CreateLogger("CoAP"), _settings.Observations.Store,
            token, cancellationToken);
        observation.Link.Feed.Arrived = _settings.Cache?.NotificationsOf(target);
        return observation;
    }

    private void StopObservations()
    {
        ClientObservationHome[] stopping;
        lock (_gate) { stopping = [.. _observations]; }
        foreach (var observation in stopping) { observation.Stop(); }
    }
}

/// <summary>One address of a server.</summary>
internal readonly record struct Place(PeerIdentity Peer, IPEndPoint Address);
