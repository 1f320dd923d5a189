namespace CoAP.Lanes;

/// <summary>
/// The lanes that have got answers from a handler thread, and that the thread will wake. Waking a lane takes longer than a quick handler.
/// </summary>
/// <remarks>A lane that is awake finds the answers anyway.</remarks>
internal sealed class DeferredWakes
{
    private const int MostAnswers = 16;
    private const int MostLanes = 4;

    [ThreadStatic]
    private static DeferredWakes? _current;

    private readonly List<LaneRunner> _lanes = new(MostLanes);
    private int _answers;
    private bool _defers;

    /// <summary>Begins to defer on the calling thread.</summary>
    public static DeferredWakes Begin() => _current = new DeferredWakes();

    /// <summary>Wakes a lane, now or when the calling thread has more answers.</summary>
    public static void Wake(LaneRunner lane)
    {
        if (_current is { _defers: true } wakes) { wakes.Add(lane); }
        else { lane.Wake(); }
    }

    /// <summary>Sets whether the next answers may wait. If not, wakes the lanes of earlier ones.</summary>
    public void Defer(bool mayWait)
    {
        if (!mayWait) { Wake(); }
        _defers = mayWait;
    }

    /// <summary>Wakes the lanes.</summary>
    public void Wake()
    {
        foreach (var lane in _lanes) { lane.Wake(); }
        _lanes.Clear();
        _answers = 0;
    }

    /// <summary>Wakes the lanes, and defers no longer.</summary>
    public void End()
    {
        Wake();
        _current = null;
    }

    private void Add(LaneRunner lane)
    {
        if (!_lanes.Contains(lane)) { _lanes.Add(lane); }
        if (++_answers >= MostAnswers || _lanes.Count >= MostLanes) { Wake(); }
    }
}
