using BenchmarkDotNet.Running;

namespace CoAP.Benchmarks;

/// <summary>One message of the case study.</summary>
internal readonly record struct GridCell(int Options, int Payload)
{
    /// <summary>Whether the cell is on the diagonal or in a corner of the grid.</summary>
    public bool IsMarked => Options == Payload || (Options, Payload) is (0, 131_072) or (131_072, 0);
}

/// <summary>The messages that are measured. BenchmarkDotNet multiplies options and payloads, and <see cref="Wants"/> selects from the product.</summary>
internal sealed record GridPlan(int[] Options, int[] Payloads, int ValueLength, Func<GridCell, bool> Wants)
{
    private static readonly int[] Sides = [0, 1_024, 4_096, 65_536, 131_072];

    /// <summary>The plan of the run. Default: one cell.</summary>
    public static GridPlan Current { get; set; } = new([1_024], [1_024], 255, static _ => true);

    /// <summary>The seed of the messages.</summary>
    public static int Seed { get; set; } = Random.Shared.Next();

    /// <summary>Returns the plan of the case study's tables 4, 5, 21 and 22. They fit option values of 255 bytes.</summary>
    public static GridPlan Grid(RunForm form) => new(Sides, Sides, 255, form.Choose<Func<GridCell, bool>>(
        dry: static cell => cell is { Options: 1_024, Payload: 4_096 }, quick: static cell => cell.IsMarked, usual: static _ => true, full: static _ => true));

    /// <summary>Returns the plan of the case study's tables 10 to 19, with 10 and 100 MB besides. They fit option values of 7 bytes.</summary>
    public static GridPlan Series(RunForm form) => new([0, 1_000, 100_000], [0, 1_000, 100_000, 1_000_000, 10_000_000, 100_000_000], 7, cell => cell.Options switch
    {
        0 => cell.Payload is 1_000 or 100_000,
        1_000 => cell.Payload <= 100_000,
        _ => form != RunForm.Dry || cell.Payload == 1_000_000,
    });

    /// <summary>Whether a benchmark belongs to the plan. One without a cell does.</summary>
    public bool Accepts(BenchmarkCase benchmark) => CellOf(benchmark) is not { } cell || Wants(cell);

    /// <summary>Returns the case study's mean in nanoseconds, or <c>null</c> if it has none.</summary>
    public static double? DocumentMean(BenchmarkCase benchmark) => CellOf(benchmark) is { } cell
        ? 1000 * CaseStudy.Mean(benchmark.Descriptor.WorkloadMethod.Name, cell.Options, cell.Payload)
        : null;

    /// <summary>Returns the cell of a benchmark, or <c>null</c> if it has none.</summary>
    public static GridCell? CellOf(BenchmarkCase benchmark)
    {
        int? Value(string name) => benchmark.Parameters.Items.FirstOrDefault(item => item.Name == name)?.Value as int?;
        return Value(nameof(GridCell.Options)) is { } options && Value(nameof(GridCell.Payload)) is { } payload ? new(options, payload) : null;
    }
}
