namespace CoAP.Lanes;

/// <summary>
/// The lanes that a handler thread has answers for and will wake later. Waking a lane takes longer than a quick handler, so several answers
/// share a wake-up.
/// </summary>
/// <remarks>A lane that is already awake finds the answers without it.</remarks>
internal sealed class DeferredWakes
{
    private const int MostAnswers = 16;
    private const int MostLanes = 4;

    [ThreadStatic]
    private static DeferredWakes? _current;

    private readonly List<Action> _lanes = new(MostLanes);
    private int _answers;
    private bool _defers;

    /// <summary>Starts to defer wake-ups on the calling thread.</summary>
    public static DeferredWakes Begin() => _current = new DeferredWakes();

    /// <summary>Wakes a lane now, or later together with others of the calling thread.</summary>
    public static void Wake(Action lane)
    {
        if (_current is { _defers: true } wakes) { wakes.Add(lane); }
        else { lane(); }
    }

    /// <summary>Sets whether wake-ups for the next answers are deferred. If not, wakes the lanes of earlier answers now.</summary>
    public void Defer(bool mayWait)
    {
        if (!mayWait) { Wake(); }
        _defers = mayWait;
    }

    /// <summary>Wakes the waiting lanes.</summary>
    public void Wake()
    {
        foreach (var lane in _lanes) { lane(); }
        _lanes.Clear();
        _answers = 0;
    }

    /// <summary>Wakes the waiting lanes, and stops deferring.</summary>
    public void End()
    {
        Wake();
        _current = null;
    }

    private void Add(Action lane)
    {
        if (!_lanes.Contains(lane)) { _lanes.Add(lane); }
        if (++_answers >= MostAnswers || _lanes.Count >= MostLanes) { Wake(); }
    }
}
