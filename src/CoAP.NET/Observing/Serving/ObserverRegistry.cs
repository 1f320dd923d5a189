using System.Diagnostics.CodeAnalysis;
using CoAP.Accounting;
using CoAP.Datagrams;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Resources;
using CoAP.Serialization;

namespace CoAP.Observing;

/// <summary>The list of observers of a lane, by client and token (RFC 7641, section 4.1).</summary>
/// <remarks>
/// A registration with the same client and token replaces the earlier one. With another token it is another observer, even of the same resource. If
/// the client has forgotten an observation, it answers the next notification with a Reset.
/// </remarks>
internal sealed class ObserverRegistry : IMessageIdGuesses, IObserverList, IDisposable
{
    private const int SmallRequest = 256;

    private readonly Dictionary<PeerPlace, DatagramObserverPeer> _peers = [];
    private readonly Dictionary<ObservationKey, Observation> _observations = [];
    private readonly Dictionary<Resource, ObservedResource> _resources = [];
    private readonly ObservingLane _observing;
    private readonly NotificationTurns _turns;
    private bool _hasEnded;

    /// <param name="observing">What the observations share.</param>
    public ObserverRegistry(ObservingLane observing)
    {
        var lane = observing.Lane;
        (_observing, _turns) = (observing, new NotificationTurns(lane, observing.Settings.MaxNotificationsPerTurn));
        lane.Own(this);
        lane.Exchanges.Settled = OnSettled;
        lane.Features.Set(this);
    }

    // Those who share an address, such as the devices behind a proxy, may use the same token.
    private readonly record struct ObservationKey(ObserverPeer Peer, Token Token, object? Identity) : ISeededKey
    {
        public ObservationKey(ObserverPeer peer, IncomingRequest request)
            : this(peer, request.Message.Token, request.Credentials?.Key)
        {
        }

        public override int GetHashCode() => SeededHash.Combine(Peer.GetHashCode(), Token.GetHashCode());
    }

    private ExchangeLane Lane => _observing.Lane;

    private ObserverJournal? Journal => _observing.Journal;

    /// <summary>Adds the client that sent the request to the list if the resource and the limits allow it.</summary>
    /// <param name="request">The request.</param>
    /// <param name="response">The response.</param>
    /// <param name="stamped">The response with the Observe option; a challenge if unverified addresses have used up their share.</param>
    /// <param name="observation">The new entry.</param>
    public bool TryRegister(
        IncomingRequest request, CoapResponse response, [NotNullWhen(true)] out CoapResponse? stamped, [NotNullWhen(true)] out Observation? observation)
    {
        (stamped, observation) = (null, null);
        var replaced = Deregister(request);
        if (request.Resource is not { Observers: { } observers } resource || !response.IsSuccess || Lane.IsDraining) { return false; }
        if (request.Connection is { IsUsable: false }) { return false; }     // no event would remove the entry
        if (request.Options.Get<NoResponse>()?.Suppresses(response.Code) == true) { return false; }
        var account = request.Account;
        var charge = TryCharge(account, request);
        if (charge != Charge.Accepted)
        {
            if (charge == Charge.OverShare && account.IsUnverified) { stamped = Lane.Refuse(request, charge); }
            Lane.Metrics[LaneCounters.DeclinedObservations]++;
            return false;
        }
        var representation = RepresentationFor(request, resource);
        stamped = representation.StampRegistration(response, replaced);
        observation = Enter(account, request, response, representation);
        observation.Registered(representation.Order.Last, request.SizeOf(stamped));
        if (observers.Version != request.ObservedVersion) { representation.Refresh(); }
        return true;
    }

    /// <summary>Removes and returns the observation with the client and token of a request, if there is one.</summary>
    public Observation? Deregister(IncomingRequest request)
    {
        if (!TryFindPeer(request, out var peer) || !_observations.TryGetValue(new(peer, request), out var observation)) { return null; }
        Remove(observation);
        return observation;
    }

    void IObserverList.Deregister(IncomingRequest request) => Deregister(request);

    /// <summary>Ends an observation and removes it from the list. Does nothing if it has ended.</summary>
    public void Remove(Observation observation)
    {
        if (observation.IsEnded) { return; }
        observation.End();
        var (peer, representation) = (observation.Peer, observation.Representation);
        _observations.Remove(new(peer, observation.Request));
        peer.Remove(observation);
        representation.Remove(observation);
        representation.Resource.Observers.Ended();
        Release(observation.Account, observation.Request);
        if (!_hasEnded) { observation.Forget(); }
        Lane.Metrics[LaneCounters.ActiveObservations]--;
        DropIfUnused(representation);
        DropIfUnused(peer);
    }

    /// <summary>Removes a client without observations, as soon as it needs no more messages.</summary>
    public void DropIfUnused(ObserverPeer peer)
    {
        if (peer.Observations.Count > 0 || peer.IsBusy) { return; }
        Detach(peer);
        peer.Forget();
    }

    /// <summary>Removes a client from the list, so that its address is that of a new one. Its observations end on their own.</summary>
    public void Detach(ObserverPeer peer)
    {
        var key = PeerPlace.Of(peer.Key);
        if (_peers.GetValueOrDefault(key) == peer) { _peers.Remove(key); }
    }

    /// <summary>Continues an observation of an earlier run and notifies the client of the current state.</summary>
    /// <param name="saved">The observation.</param>
    /// <param name="credentials">The credentials of the client, if its session goes on; otherwise <see langword="null"/>.</param>
    /// <param name="isStored">Whether the store has it.</param>
    public void Restore(StoredObserver saved, PeerCredentials? credentials, bool isStored = true)
    {
        var key = new ChannelKey(saved.Peer, saved.Local);
        var serializer = new DatagramSerializer(_observing.Exchanges.Options);
        if (!serializer.TryRead(saved.Request, out var message, out _, out _) || message.Token != saved.Token || saved.SequenceLimit > NotificationOrder.MaxStart) { return; }
        var request = new DatagramRequest((DatagramLane)Lane, message, key) { Credentials = credentials };
        _observing.Pipeline.Route(request);
        // A client that has restarted may have used the token again before the observation has arrived here.
        if (!isStored && TryFindPeer(request, out var peer) && _observations.ContainsKey(new(peer, request))) { return; }
        var replaced = Deregister(request);     // a store of the user can list an observation twice
        // Only observations of verified addresses are stored.
        var account = Lane.Ledger.AccountOf(key.Peer, credentials, isVerified: true);
        if (request.Resource is not { Observers: not null } resource || TryCharge(account, request) != Charge.Accepted)
        {
            if (isStored) { Journal?.Remove(Lane, key, saved.Token); }
            return;
        }
        var representation = RepresentationFor(request, resource);
        representation.Order.ContinueAfter(saved.SequenceLimit, Lane.Now);
        var observation = (DatagramObservation)Enter(account, request, response: null, representation);
        observation.Restored(saved.SequenceLimit, saved.ContentFormat);
        // The end of the one that it replaces has removed it from the store.
        if (replaced is not null || !isStored) { Journal?.Save(Lane, key, message, saved.SequenceLimit, isKnown: isStored, saved.ContentFormat); }
        representation.Refresh();
    }

    /// <summary>Ends observations of a client without telling it, and returns them, so that another registry can continue them.</summary>
    /// <param name="key">The client.</param>
    /// <param name="most">The largest number of observations.</param>
    public IReadOnlyList<StoredObserver> Take(in ChannelKey key, int most)
    {
        if (!_peers.TryGetValue(PeerPlace.Of(key), out var peer)) { return []; }
        var taken = new List<StoredObserver>();
        foreach (var observation in peer.Observations.Take(most).ToArray())
        {
            taken.Add(new StoredObserver
            {
                Peer = key.Peer,
                Local = key.Local,
                Token = observation.Token,
                Request = CoapMessageSerializer.Datagram.Serialize(observation.Request.Message),
                SequenceLimit = observation.Representation.Order.Last,
                ContentFormat = observation.Format,
            });
            Remove(observation);
        }
        return taken;
    }

    public void OnWrongAcknowledgement(in ChannelKey key, MessageId messageId)
    {
        if (_peers.TryGetValue(PeerPlace.Of(key), out var peer)) { peer.OnWrongAcknowledgement(messageId); }
    }

    public void OnWrongReset(in ChannelKey key, MessageId messageId)
    {
        if (_peers.TryGetValue(PeerPlace.Of(key), out var peer)) { peer.OnWrongReset(messageId); }
    }

    private void OnSettled(IUnsettled message)
    {
        if (_peers.Count == 0 || !_peers.TryGetValue(PeerPlace.Of(message.Key), out var peer)) { return; }
        peer.Settled.Add(message.MessageId, message as DatagramObservation);
    }

    public void Dispose()
    {
        _hasEnded = true;
        foreach (var observation in _observations.Values.ToArray()) { Remove(observation); }
    }

    // An observation keeps the options and the body of its request. The key of its representation may be a copy of both. The limit on observations
    // covers small requests.
    private static long SizeOf(IncomingRequest request) => Math.Max(0, (2L * (request.Message.Options.Wire.Length + request.Payload.Length)) - SmallRequest);

    private Charge TryCharge(in Account account, IncomingRequest request)
    {
        var charge = Lane.Ledger.Observations.TryCharge(account);
        if (charge != Charge.Accepted || SizeOf(request) is not (> 0 and var size)) { return charge; }
        charge = Lane.Ledger.Bodies.TryCharge(account, size);
        if (charge != Charge.Accepted) { Lane.Ledger.Observations.Release(account); }
        return charge;
    }

    private void Release(in Account account, IncomingRequest request)
    {
        Lane.Ledger.Observations.Release(account);
        if (SizeOf(request) is > 0 and var size) { Lane.Ledger.Bodies.Release(account, size); }
    }

    private ObservedRepresentation RepresentationFor(IncomingRequest request, Resource resource)
    {
        if (!_resources.TryGetValue(resource, out var observed))
        {
            _resources[resource] = observed = new ObservedResource(_observing, _turns, resource);
            observed.Observers.Add(observed);
        }
        var isPerPeer = !observed.Observers.IsShared
            && (observed.Observers.IsPerPeer || request.Credentials is not null || _observing.Pipeline.DependsOnPeer
                || resource.DependsOnPeer || _observing.Authorization.Governs(resource));
        return observed.RepresentationFor(RepresentationKey.Of(request, isPerPeer), request);
    }

    private void DropIfUnused(ObservedRepresentation representation)
    {
        var resource = representation.Resource;
        if (representation.Count == 0) { resource.Detach(representation); }
        // When an error ends observations, other clients may register again before the last of them has left.
        if (!resource.IsEmpty || _resources.GetValueOrDefault(resource.Resource) != resource) { return; }
        _resources.Remove(resource.Resource);
        resource.Observers.Remove(resource);
    }

    private Observation Enter(in Account account, IncomingRequest request, CoapResponse? response, ObservedRepresentation representation)
    {
        var peer = TryFindPeer(request, out var known) ? known : MakePeer(request);
        var observation = peer.Register(request, account);
        representation.Add(observation, response);
        _observations.Add(new(peer, request), observation);
        peer.Observations.Add(observation);
        representation.Resource.Observers.Started();
        Lane.Metrics[LaneCounters.ActiveObservations]++;
        return observation;
    }

    private bool TryFindPeer(IncomingRequest request, [NotNullWhen(true)] out ObserverPeer? peer)
    {
        if (request.Connection is { } connection) { peer = connection.FollowerOf<StreamObserverPeer>(); }
        else { peer = _peers.GetValueOrDefault(PeerPlace.Of(request.Key)); }
        return peer is not null;
    }

    private ObserverPeer MakePeer(IncomingRequest request)
    {
        if (request.Connection is { } connection)
        {
            var follower = new StreamObserverPeer(this, _observing, connection);
            follower.Join();
            return follower;
        }
        var peer = new DatagramObserverPeer(this, _observing, request.Key);
        _peers.Add(PeerPlace.Of(request.Key), peer);
        return peer;
    }
}
