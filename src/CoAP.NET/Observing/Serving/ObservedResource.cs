using CoAP.Lanes;

namespace CoAP.Observing;

/// <summary>A resource that has observers on this lane. It takes changes, which are noted on any thread, to the lane.</summary>
internal sealed class ObservedResource(ObserverRegistry registry, Resource resource) : LaneWork
{
    // Beyond so many single paths it is cheaper to ask for all of them.
    private const int MostPaths = 1024;

    private readonly Dictionary<RepresentationKey, ObservedRepresentation> _representations = [];
    private readonly Queue<ObservedRepresentation> _due = new();
    private readonly Lock _gate = new();
    private HashSet<string> _paths = [];
    private bool _isEverywhere;
    private CoapCode? _ended;
    private bool _isPosted;

    public Resource Resource => resource;

    public ResourceObservers Observers { get; } = resource.Observers!;

    public bool IsEmpty => _representations.Count == 0;

    /// <summary>Notes on any thread that the resource has changed.</summary>
    /// <param name="path">The path that has changed; <see langword="null"/> for all paths of the template.</param>
    public void OnChanged(string? path)
    {
        lock (_gate)
        {
            if (path is null || _paths.Count >= MostPaths) { _isEverywhere = true; }
            else if (!_isEverywhere) { _paths.Add(path); }
        }
        Post();
    }

    /// <summary>Notes on any thread that the observations end, and with which error.</summary>
    public void OnEnded(CoapCode code)
    {
        lock (_gate) { _ended = code; }
        Post();
    }

    /// <summary>The state that a request observes, if somebody observes it already.</summary>
    public ObservedRepresentation RepresentationFor(RepresentationKey key, IncomingRequest request)
    {
        if (_representations.TryGetValue(key, out var representation)) { return representation; }
        return _representations[key] = new ObservedRepresentation(registry, this, key, request);
    }

    /// <summary>Nobody else begins to observe this representation.</summary>
    public void Detach(ObservedRepresentation representation)
    {
        if (_representations.GetValueOrDefault(representation.Key) == representation) { _representations.Remove(representation.Key); }
    }

    public override void Run()
    {
        HashSet<string> paths;
        CoapCode? ended;
        bool isEverywhere;
        lock (_gate)
        {
            (paths, ended, isEverywhere) = (_paths, _ended, _isEverywhere);
            (_ended, _isEverywhere, _isPosted) = (null, false, false);
            if (paths.Count > 0) { _paths = []; }
        }
        if (ended is not null || isEverywhere || paths.Count > 0)
        {
            foreach (var representation in _representations.Values.ToArray())
            {
                if (ended is { } code) { representation.Publish(new CoapResponse(code)); }
                else if (isEverywhere || paths.Contains(representation.Path)) { Enqueue(representation); }
            }
        }
        RefreshSome();
    }

    /// <summary>The handler is asked for the state in this turn or a later one: clients decide how many states there are.</summary>
    public void RefreshLater(ObservedRepresentation representation)
    {
        Enqueue(representation);
        Post();
    }

    public override void Abandon()
    {
    }

    private void Enqueue(ObservedRepresentation representation)
    {
        if (representation.IsDue) { return; }
        representation.IsDue = true;
        _due.Enqueue(representation);
    }

    private void RefreshSome()
    {
        var budget = registry.Settings.NotificationsPerTurn;
        if (_due.Count > budget) { Post(); }
        for (; budget > 0 && _due.TryDequeue(out var representation); budget--)
        {
            representation.IsDue = false;
            representation.Changed();
        }
    }

    private void Post()
    {
        lock (_gate)
        {
            if (_isPosted) { return; }
            _isPosted = true;
        }
        registry.Lane.Post(this);
    }
}
