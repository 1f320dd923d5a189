namespace CoAP.Benchmarks.Serialization.Grid;

/// <summary>One message and its way.</summary>
internal readonly record struct GridCell(int Options, int Payload, int ValueLength, WireForm Form, StreamEnd End)
{
    /// <summary>The diagonal and the two other corners.</summary>
    public bool IsMarked => Options == Payload || (Options, Payload) is (0, 131_072) or (131_072, 0);
}
