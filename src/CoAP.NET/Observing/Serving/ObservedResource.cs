using CoAP.Lanes;

namespace CoAP.Observing;

/// <summary>A resource that has observers on this lane. It takes changes, which are noted on any thread, to the lane.</summary>
internal sealed class ObservedResource(ObserverRegistry registry, Resource resource) : LaneWork
{
    // Beyond so many single paths it is cheaper to ask for all of them.
    private const int MostPaths = 1024;

    private readonly Dictionary<RepresentationKey, ObservedState> _states = [];
    private readonly Queue<ObservedState> _due = new();
    private readonly Lock _gate = new();
    private HashSet<string> _paths = [];
    private bool _isEverywhere;
    private CoapCode? _ended;
    private bool _isPosted;

    public Resource Resource => resource;

    public ResourceObservers Observers { get; } = resource.Observers!;

    public bool IsEmpty => _states.Count == 0;

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
    public ObservedState StateFor(RepresentationKey key, IncomingRequest request)
    {
        if (_states.TryGetValue(key, out var state)) { return state; }
        return _states[key] = new ObservedState(registry, this, key, request);
    }

    /// <summary>Nobody else begins to observe this state.</summary>
    public void Detach(ObservedState state)
    {
        if (_states.GetValueOrDefault(state.Key) == state) { _states.Remove(state.Key); }
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
            foreach (var state in _states.Values.ToArray())
            {
                if (ended is { } code) { state.Publish(new CoapResponse(code)); }
                else if (isEverywhere || paths.Contains(state.Path)) { Enqueue(state); }
            }
        }
        AskForSome();
    }

    /// <summary>The handler is asked for the state in this turn or a later one: clients decide how many states there are.</summary>
    public void AskFor(ObservedState state)
    {
        Enqueue(state);
        Post();
    }

    public override void Abandon()
    {
    }

    private void Enqueue(ObservedState state)
    {
        if (state.IsDue) { return; }
        state.IsDue = true;
        _due.Enqueue(state);
    }

    private void AskForSome()
    {
        var budget = registry.Settings.NotificationsPerTurn;
        if (_due.Count > budget) { Post(); }
        for (; budget > 0 && _due.TryDequeue(out var state); budget--)
        {
            state.IsDue = false;
            state.Changed();
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
