namespace CoAP.Fuzzing.Engine;

/// <summary>Writes the input that its target does not come back from, so that a run that hangs tells why.</summary>
internal sealed class Watch : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly FuzzTarget _target;
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private FuzzInput? _current;
    private FuzzInput? _seen;
    private long _start;

    public Watch(FuzzTarget target, TimeProvider time)
    {
        (_target, _time) = (target, time);
        _timer = time.CreateTimer(_ => Look(), null, Patience, Patience);
    }

    public void Begin(FuzzInput input)
    {
        Volatile.Write(ref _current, input);
        _start = _time.GetTimestamp();
    }

    public TimeSpan End()
    {
        Volatile.Write(ref _current, null);
        return _time.GetElapsedTime(_start);
    }

    public void Dispose() => _timer.Dispose();

    private void Look()
    {
        var current = Volatile.Read(ref _current);
        if (current is not null && current == _seen) { FuzzFolders.Write("hanging", _target, current, $"{_target.Name} has not come back for {Patience.TotalSeconds} s."); }
        _seen = current;
    }
}
