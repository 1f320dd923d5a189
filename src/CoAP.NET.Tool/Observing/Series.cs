namespace CoAP.Tool.Observing;

/// <summary>The numbers of one name, in the order in which they arrived. Only the last ones are kept.</summary>
internal sealed class Series(string name, string? unit)
{
    private const int MaxValues = 40;

    private readonly Queue<double> _values = new();

    public string Name => name;

    public string? Unit => unit;

    public double Last { get; private set; }

    public double Least { get; private set; } = double.PositiveInfinity;

    public double Most { get; private set; } = double.NegativeInfinity;

    public IReadOnlyCollection<double> Values => _values;

    public void Add(double value)
    {
        if (_values.Count == MaxValues) { _values.Dequeue(); }
        _values.Enqueue(value);
        (Last, Least, Most) = (value, Math.Min(Least, value), Math.Max(Most, value));
    }
}
