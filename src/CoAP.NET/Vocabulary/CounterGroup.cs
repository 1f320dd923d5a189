using System.Diagnostics.Metrics;

namespace CoAP.Vocabulary;

/// <summary>The counters of all owners of one kind in this process, such as all lanes. Safe for concurrent use once the counters are defined.</summary>
/// <param name="unit">The unit of the counters.</param>
internal sealed class CounterGroup(string unit)
{
    private readonly Lock _gate = new();
    private readonly List<Action<Meter>> _instruments = [];
    private readonly HashSet<CounterTable> _open = [];
    private long[] _ended = [];

    /// <summary>The number of counters.</summary>
    public int Count { get; private set; }

    /// <summary>Defines a counter without an instrument.</summary>
    public Counter Define() => new(this, Count++);

    /// <summary>Defines a counter and its instrument.</summary>
    /// <param name="name">The name.</param>
    /// <param name="description">What is counted.</param>
    /// <param name="ownUnit">The unit; <see langword="null"/> for that of the group.</param>
    public Counter Define(string name, string description, string? ownUnit = null)
    {
        var counter = Define();
        _instruments.Add(meter => meter.CreateObservableCounter(name, counter.Sum, ownUnit ?? unit, description));
        return counter;
    }

    /// <summary>Adds the instruments of the counters to a meter.</summary>
    public void AddTo(Meter meter) => _instruments.ForEach(add => add(meter));

    /// <summary>Includes the counters of an owner in the sums.</summary>
    public void Add(CounterTable owner)
    {
        lock (_gate) { _open.Add(owner); }
    }

    /// <summary>Removes the counters of an owner that has ended. Their values stay in the sums. Further calls do nothing.</summary>
    public void Remove(CounterTable owner)
    {
        lock (_gate)
        {
            if (!_open.Remove(owner)) { return; }
            if (_ended.Length < owner.Values.Length) { Array.Resize(ref _ended, owner.Values.Length); }
            for (var place = 0; place < owner.Values.Length; place++) { _ended[place] += owner.Values[place]; }
        }
    }

    /// <summary>Returns the sum of the values at a place, over all owners.</summary>
    public long Sum(int place)
    {
        lock (_gate) { return _open.Sum(owner => ValueAt(owner.Values, place)) + ValueAt(_ended, place); }
    }

    /// <summary>Returns the value of a counter for each owner that has not ended.</summary>
    public long[] Each(Counter counter)
    {
        lock (_gate) { return [.. _open.Select(owner => owner[counter])]; }
    }

    private static long ValueAt(ReadOnlySpan<long> values, int place) => place < values.Length ? values[place] : 0;
}
