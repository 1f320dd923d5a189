namespace CoAP.Vocabulary;

/// <summary>The counters of one owner, such as a lane. The owner increments them on one thread at a time, and any thread may read them.</summary>
internal abstract class CounterTable(int length)
{
    private readonly long[] _counts = new long[length];

    /// <summary>The value of a counter.</summary>
    public ref long this[Counter counter] => ref _counts[counter.Place];

    /// <summary>The value at a place.</summary>
    protected ref long this[int place] => ref _counts[place];

    /// <summary>All values of the table.</summary>
    public ReadOnlySpan<long> Values => _counts;
}
