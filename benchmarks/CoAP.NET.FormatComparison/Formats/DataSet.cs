namespace CoAP.FormatComparison.Formats;

/// <summary>Data to serialize, with the formats for it.</summary>
/// <param name="Name">The name in tables.</param>
/// <param name="Group">The series that it belongs to.</param>
/// <param name="Values">The number of primitive values.</param>
/// <param name="RawBytes">The size of the primitives and keys in memory: the numerator of the compression ratio.</param>
/// <param name="ObjectBytes">The size of the objects on the heap of .NET.</param>
/// <param name="MinimumBytes">The entropy of the data: no lossless format takes less on average.</param>
/// <param name="Cases">The formats.</param>
internal sealed record DataSet(
    string Name, string Group, long Values, long RawBytes, long ObjectBytes, double MinimumBytes, IReadOnlyList<Case> Cases)
{
    /// <summary>The number of lists inside one another, where it matters.</summary>
    public int Depth { get; init; } = 1;

    /// <summary>The highest compression ratio that a lossless format can have on average.</summary>
    public double HighestRatio => RawBytes / MinimumBytes;
}
