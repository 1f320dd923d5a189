using CoAP.Channels;
using CoAP.Resources;

namespace CoAP.Handlers;

/// <summary>A resource that has observers on this lane. Hears of its changes on any thread, and takes them to the lane.</summary>
internal sealed class ObservedResource(ObserverRegistry registry, Resource resource) : LaneWork, IChangeListener
{
    // Beyond so many single paths it is cheaper to ask for all of them.
    private const int MostPaths = 1024;

    private readonly Dictionary<RepresentationKey, ObservedState> _states = [];
    private readonly Lock _gate = new();
    private HashSet<string> _paths = [];
    private bool _isEverywhere;
    private CoapCode? _ended;
    private bool _isPosted;

    public Resource Resource => resource;

    public ResourceObservers Observers { get; } = resource.Observers!;

    public bool IsEmpty => _states.Count == 0;

    public void OnChanged(string? path)
    {
        lock (_gate)
        {
            if (path is null || _paths.Count >= MostPaths) { _isEverywhere = true; }
            else if (!_isEverywhere) { _paths.Add(path); }
            if (_isPosted) { return; }
            _isPosted = true;
        }
        registry.Lane.Post(this);
    }

    public void OnEnded(CoapCode code)
    {
        lock (_gate)
        {
            _ended = code;
            if (_isPosted) { return; }
            _isPosted = true;
        }
        registry.Lane.Post(this);
    }

    /// <summary>The state that a request observes, if somebody observes it already.</summary>
    public ObservedState StateFor(RepresentationKey key, ReceivedRequest request)
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
            (_paths, _ended, _isEverywhere, _isPosted) = ([], null, false, false);
        }
        foreach (var state in _states.Values.ToArray())
        {
            if (ended is { } code) { state.Publish(new CoapResponse(code)); }
            else if (isEverywhere || paths.Contains(state.Path)) { state.Changed(); }
        }
    }

    public override void Abandon()
    {
    }
}
