namespace CoAP.FormatComparison.Model;

/// <summary>Collects integers whose number is not known in advance. Unlike a list, it never copies them to a larger array.</summary>
internal sealed class IntCollector
{
    private const int ChunkLength = 1 << 16;

    private readonly List<int[]> _chunks = [];
    private int[] _last = [];
    private int _used;

    public int Count => _chunks.Count == 0 ? 0 : ((_chunks.Count - 1) * ChunkLength) + _used;

    public void Add(int value)
    {
        if (_used == _last.Length) { Grow(); }
        _last[_used++] = value;
    }

    public void Add(ReadOnlySpan<int> values)
    {
        while (!values.IsEmpty)
        {
            if (_used == _last.Length) { Grow(); }
            var length = Math.Min(values.Length, _last.Length - _used);
            values[..length].CopyTo(_last.AsSpan(_used));
            _used += length;
            values = values[length..];
        }
    }

    /// <summary>Whether a source gives the same values.</summary>
    public bool Matches(RandomSource random)
    {
        for (var at = 0; at < Count; at++)
        {
            if (_chunks[at / ChunkLength][at % ChunkLength] != random.NextInt32()) { return false; }
        }
        return true;
    }

    private void Grow()
    {
        _last = new int[ChunkLength];
        _chunks.Add(_last);
        _used = 0;
    }
}
