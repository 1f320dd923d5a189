using PolyType;

namespace CoAP.Formats.Tests;

/// <summary>The types of the tests of MessagePack.</summary>
[GenerateShapeFor<PackedReading>]
[GenerateShapeFor<PackedNode>]
[GenerateShapeFor<PackedPicky>]
[GenerateShapeFor<List<PackedReading>>]
[GenerateShapeFor<int[]>]
[GenerateShapeFor<int[][][][]>]
[GenerateShapeFor<List<string>>]
[GenerateShapeFor<Dictionary<string, int>>]
[GenerateShapeFor<Dictionary<long, int>>]
[GenerateShapeFor<HashSet<long>>]
[GenerateShapeFor<byte[]>]
[GenerateShapeFor<bool>]
[GenerateShapeFor<int?>]
[GenerateShapeFor<long>]
[GenerateShapeFor<ulong>]
[GenerateShapeFor<double>]
[GenerateShapeFor<DateTime>]
[GenerateShapeFor<DateTimeOffset>]
internal sealed partial class PackedShapes;

internal sealed record PackedReading(string Sensor, double Celsius, int? Battery = null)
{
    [PropertyShape(Name = "h")]
    public List<int> History { get; init; } = [];

    [PropertyShape(Ignore = true)]
    public string Secret { get; set; } = "hidden";
}

internal sealed class PackedNode
{
    public int Value { get; set; }

    public PackedNode? Next { get; set; }
}

internal sealed class PackedPicky
{
    public PackedPicky(int number)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(number);
        Number = number;
    }

    public int Number { get; }
}
