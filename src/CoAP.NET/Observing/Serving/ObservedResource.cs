using CoAP.Lanes;
using CoAP.Resources;
using CoAP.Vocabulary;

namespace CoAP.Observing;

/// <summary>A resource with observers on this lane. It brings changes from any thread to the lane.</summary>
internal sealed class ObservedResource(ObservingLane observing, NotificationTurns turns, Resource resource) : ObserversOfLane
{
    // With more single paths it is cheaper to refresh all of them.
    private const int MaxPaths = 1024;

    // A visit takes one or two microseconds. Between the parts of a change, the lane serves its peers.
    private const int MostVisitsPerTurn = 256;

    private static readonly CoapResponse StreamFailure = Response.Error(ResponseCode.InternalServerError, "The server cannot send a stream to observers.");

    private readonly Dictionary<RepresentationKey, ObservedRepresentation> _representations = [];
    private readonly WalkedList<ObservedRepresentation> _all = new(static one => ref one.PlaceInResource);
    private readonly Dictionary<string, WalkedList<ObservedRepresentation>> _atPaths = [];
    private readonly Queue<WalkedList<ObservedRepresentation>> _walks = new();      // what is left of the changes that the lane has taken
    private CoapCode? _endsWith;                                    // if these walks end the observations
    private readonly Lock _gate = new();
    private HashSet<string> _paths = [];
    private bool _isEverywhere;
    private CoapCode? _ended;
    private bool _isPosted;

    public Resource Resource => resource;

    public ResourceObservers Observers { get; } = resource.Observers!;

    /// <summary>Selects what is refreshed and notified next.</summary>
    public NotificationTurns Turns => turns;

    public bool IsEmpty => _representations.Count == 0;

    /// <summary>Records a change of the resource. Called from any thread.</summary>
    /// <param name="path">The path that has changed; <see langword="null"/> for all paths of the template.</param>
    public override void OnChanged(string? path)
    {
        lock (_gate)
        {
            if (path is null || _paths.Count >= MaxPaths) { _isEverywhere = true; }
            else if (!_isEverywhere) { _paths.Add(path); }
        }
        Post();
    }

    /// <summary>Records that the observations end with an error. Called from any thread.</summary>
    public override void OnEnded(CoapCode code)
    {
        lock (_gate) { _ended = code; }
        Post();
    }

    /// <summary>Returns the representation that a request observes. Creates it for the first observer.</summary>
    public ObservedRepresentation RepresentationFor(RepresentationKey key, IncomingRequest request)
    {
        if (_representations.TryGetValue(key, out var representation)) { return representation; }
        _representations[key] = representation = new ObservedRepresentation(observing, this, key, request);
        _all.Add(representation);
        if (!_atPaths.TryGetValue(representation.Path, out var atPath))
        {
            _atPaths[representation.Path] = atPath = new(static one => ref one.PlaceAtPath);
        }
        atPath.Add(representation);
        return representation;
    }

    /// <summary>Removes a representation. Later observers get a new one.</summary>
    public void Detach(ObservedRepresentation representation)
    {
        if (_representations.GetValueOrDefault(representation.Key) != representation) { return; }
        _representations.Remove(representation.Key);
        observing.Numbers.ContinueAfter(representation.Order.Last, representation.Key);
        _all.Remove(representation);
        var atPath = _atPaths[representation.Path];
        atPath.Remove(representation);
        if (atPath.Count == 0) { _atPaths.Remove(representation.Path); }
    }

    public override void Run()
    {
        if (_walks.Count == 0) { BeginWalks(); }
        try
        {
            for (var visits = 0; visits < MostVisitsPerTurn && _walks.TryPeek(out var walk); visits++)
            {
                if (!walk.TryVisit(out var representation)) { _walks.Dequeue(); }
                else if (_endsWith is { } code) { representation.Publish(new CoapResponse(code)); }
                else { representation.OnChanged(); }
            }
        }
        finally { PostRest(); }
    }

    /// <summary>Refreshes a representation in one of the next turns. Clients determine the number of representations, so it is limited per turn.</summary>
    public void RefreshLater(ObservedRepresentation representation)
    {
        representation.IsDue = true;
        turns.Add(representation);
    }

    /// <summary>
    /// Returns whether the handler may be called because a state expires. The calls count for the rate limits of the server and of the resource. If the
    /// account has used them up, the next attempt follows, perhaps for the account of another observer: one that asks too often must not end the refreshes
    /// of those that share the representation.
    /// </summary>
    public bool TryCallForAge(ObservedRepresentation representation)
    {
        if (Allows(observing.Pipeline.Rate) && Allows(resource.Rate)) { return true; }
        observing.Lane.WakeAt(representation, observing.Lane.Now + ObservedRepresentation.RetryAfter);
        return false;

        bool Allows(RateLimiter? rate) => rate?.TryCount(observing.Lane, representation.Account, default, out _) ?? true;
    }

    /// <summary>Returns the response; an error if it reads its payload from a stream, which observers cannot share.</summary>
    public CoapResponse WithoutStream(CoapResponse response, string path)
    {
        if (response.Source is null) { return response; }
        if (observing.Lane.Log.TryPass(LogEvent.StreamForObservers, resource.Template, out var held))
        {
            Log.StreamForObservers(observing.Lane.Logger, ForeignText.Clean(path), held);
        }
        response.CloseSource();
        return StreamFailure;
    }

    // Changes that come during a walk wait for its end. It may have passed what they concern.
    private void BeginWalks()
    {
        HashSet<string> paths;
        bool isEverywhere;
        lock (_gate)
        {
            (paths, _endsWith, isEverywhere) = (_paths, _ended, _isEverywhere);
            (_ended, _isEverywhere) = (null, false);
            if (paths.Count > 0) { _paths = []; }
        }
        if (_endsWith is not null || isEverywhere) { Begin(_all); }
        else
        {
            foreach (var path in paths)
            {
                if (_atPaths.TryGetValue(path, out var atPath)) { Begin(atPath); }
            }
        }

        void Begin(WalkedList<ObservedRepresentation> walk)
        {
            walk.BeginWalk();
            _walks.Enqueue(walk);
        }
    }

    private void PostRest()
    {
        lock (_gate)
        {
            _isPosted = _walks.Count > 0 || _isEverywhere || _ended is not null || _paths.Count > 0;
            if (!_isPosted) { return; }
        }
        observing.Lane.Post(this);
    }

    private void Post()
    {
        lock (_gate)
        {
            if (_isPosted) { return; }
            _isPosted = true;
        }
        observing.Lane.Post(this);
    }
}
