using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace CoAP.Benchmarks;

/// <summary>The messages that are measured. BenchmarkDotNet multiplies the values, and <see cref="Wants"/> selects from the product.</summary>
internal sealed record GridPlan(int[] Options, int[] Payloads, int[] ValueLengths, WireForm[] Forms, StreamEnd[] Ends, Func<GridCell, bool> Wants)
{
    private static readonly int[] Sides = [0, 1_024, 4_096, 65_536, 131_072];

    /// <summary>The plan of the run. Default: one cell.</summary>
    public static GridPlan Current { get; set; } =
        new([1_024], [1_024], [7], [WireForm.Datagram, WireForm.Stream], [StreamEnd.Memory], static _ => true);

    /// <summary>The seed of the messages.</summary>
    public static int Seed { get; set; } = Random.Shared.Next();

    /// <summary>Returns the plan of the case study's tables 4, 5, 21 and 22: options by payload.</summary>
    public static GridPlan Grid(RunForm form) => new(
        Sides,
        Sides,
        [255, 7],
        [WireForm.Datagram, WireForm.Stream],
        [StreamEnd.Memory, StreamEnd.Null, StreamEnd.Socket],
        form.Choose<Func<GridCell, bool>>(
            dry: static cell => cell is { Options: 1_024, Payload: 4_096, ValueLength: 7 },
            quick: static cell => cell.IsMarked && cell.End == StreamEnd.Memory && (cell.Form == WireForm.Datagram || cell.ValueLength == 7),
            usual: static cell => cell is { Form: WireForm.Datagram, End: StreamEnd.Memory } || cell.IsMarked,
            full: static _ => true));

    /// <summary>Returns the plan of the case study's tables 10 to 19, with 10 and 100 MB besides.</summary>
    public static GridPlan Series(RunForm form) => new(
            [0, 1_000, 100_000],
            [0, 1_000, 100_000, 1_000_000, 10_000_000, 100_000_000],
            [7],
            [WireForm.Datagram],
            [StreamEnd.Memory, StreamEnd.Null],
            cell => cell.Options switch
            {
                0 => cell.Payload is 1_000 or 100_000,
                1_000 => cell.Payload <= 100_000,
                _ => form != RunForm.Dry || cell.Payload == 1_000_000,
            });

    /// <summary>Whether a benchmark belongs to the plan. One without a cell does.</summary>
    public bool Accepts(BenchmarkCase benchmark) =>
        CellOf(benchmark) is not { } cell || (Wants(cell) && cell is not { Form: WireForm.Datagram, End: StreamEnd.Socket });

    public static double? DocumentMean(Summary summary, BenchmarkCase benchmark) => CellOf(benchmark) is { } cell
        ? 1000 * CaseStudy.Mean(benchmark.Descriptor.WorkloadMethod.Name, cell.Options, cell.Payload)
        : null;

    /// <summary>Returns the cell of a benchmark, or <c>null</c> if it has none.</summary>
    public static GridCell? CellOf(BenchmarkCase benchmark)
    {
        object? Value(string name) => benchmark.Parameters.Items.FirstOrDefault(item => item.Name == name)?.Value;
        return Value(nameof(GridCell.Options)) is int options && Value(nameof(GridCell.Payload)) is int payload && Value(nameof(GridCell.Form)) is WireForm form
            ? new(options, payload, (int)Value(nameof(GridCell.ValueLength))!, form, Value(nameof(GridCell.End)) as StreamEnd? ?? StreamEnd.Memory)
            : null;
    }
}
