using BenchmarkDotNet.Running;
using CoAP.Measurements.Reporting;

namespace CoAP.Benchmarks.Serialization.Grid;

/// <summary>Which messages are measured. The benchmark runner multiplies the values; <see cref="Wants"/> takes out what is not to be.</summary>
internal sealed record GridPlan(int[] Options, int[] Payloads, int[] ValueLengths, WireForm[] Forms, StreamEnd[] Ends, Func<GridCell, bool> Wants)
{
    private static readonly int[] Sides = [0, 1_024, 4_096, 65_536, 131_072];

    /// <summary>The plan of the run; one cell where the runner was called without one.</summary>
    public static GridPlan Current { get; set; } =
        new([1_024], [1_024], [7], [WireForm.Datagram, WireForm.Stream], [StreamEnd.Memory], static _ => true);

    /// <summary>The seed of the run's messages; each run has another one, which is printed.</summary>
    public static int Seed { get; set; } = Environment.TickCount;

    /// <summary>The case study's tables 4, 5, 21 and 22: options by payload.</summary>
    public static GridPlan Grid(RunForm form) => new(
        Sides,
        Sides,
        [255, 7],
        [WireForm.Datagram, WireForm.Stream],
        [StreamEnd.Memory, StreamEnd.Null, StreamEnd.Socket],
        form switch
        {
            RunForm.Full => static _ => true,
            RunForm.Dry => static cell => cell is { Options: 1_024, Payload: 4_096, ValueLength: 7 },
            RunForm.Quick => static cell => cell.IsMarked && cell.End == StreamEnd.Memory && (cell.Form == WireForm.Datagram || cell.ValueLength == 7),
            _ => static cell => cell is { Form: WireForm.Datagram, End: StreamEnd.Memory } || cell.IsMarked,
        });

    /// <summary>The case study's tables 10 to 19, and 10 and 100 MB in earnest.</summary>
    public static GridPlan Series(RunForm form)
    {
        const int Largest = 100_000_000;
        return new(
            [0, 1_000, 100_000],
            [0, 1_000, 100_000, 1_000_000, 10_000_000, Largest],
            [7],
            [WireForm.Datagram],
            [StreamEnd.Memory, StreamEnd.Null],
            cell => (cell.Payload < Largest || form != RunForm.Dry) && cell.Options switch
            {
                0 => cell.Payload is 1_000 or 100_000,
                1_000 => cell.Payload <= 100_000,
                _ => true,
            });
    }

    /// <summary>Whether a case of the runner belongs to the plan; what has no cell does.</summary>
    public bool Accepts(BenchmarkCase benchmark) => CellOf(benchmark) is not { } cell || Wants(cell);

    /// <summary>The cell of a case of the runner.</summary>
    public static GridCell? CellOf(BenchmarkCase benchmark)
    {
        object? Value(string name) => benchmark.Parameters.Items.FirstOrDefault(item => item.Name == name)?.Value;
        return Value(nameof(GridCell.Options)) is int options && Value(nameof(GridCell.Payload)) is int payload && Value(nameof(GridCell.Form)) is WireForm form
            ? new(options, payload, (int)Value(nameof(GridCell.ValueLength))!, form, Value(nameof(GridCell.End)) as StreamEnd? ?? StreamEnd.Memory)
            : null;
    }
}
