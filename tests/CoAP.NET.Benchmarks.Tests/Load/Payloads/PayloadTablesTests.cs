using System.Net;
using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load.Tests;

public sealed class PayloadTablesTests
{
    private static readonly MeasuredFormat Cbor = MeasuredFormat.Of("CBOR");

    [Fact]
    public void Ratios_and_differences_are_those_of_one_round_and_then_their_median()
    {
        var tables = new PayloadTables([(Cbor, [Pair(300, 400, 1000, 900), Pair(100, 200, 1100, 700), Pair(90, 100, 500, 500)])]);

        var ratios = tables.Ratios();

        string Cell(string column) => ratios.Rows[0][ratios.Columns.ToList().IndexOf(column)];
        (Cell("format"), Cell("requests/s to bytes"), Cell("allocated bytes more")).Should().Be(("CBOR", "0.7500", "100.0"));
    }

    [Fact]
    public void Each_format_has_a_row_for_either_handler()
    {
        var costs = new PayloadTables([(Cbor, [Pair(300, 400, 1000, 900)])]).Costs();

        costs.Rows.Select(static row => string.Join(' ', row[..4])).Should().Equal(
            $"CBOR typed {Cbor.Request.Length} 300.0", $"CBOR bytes {Cbor.Request.Length} 400.0");
    }

    private static PayloadPair Pair(int typed, int bytes, double typedAllocated, double bytesAllocated) =>
        new(new PayloadCost(Run(typed), typedAllocated), new PayloadCost(Run(bytes), bytesAllocated));

    private static LoadResult Run(int good)
    {
        var (settings, tally) = (new LoadSettings { Server = new IPEndPoint(IPAddress.Loopback, 5683) }, new Tally());
        for (var at = 0; at < good; at++) { tally.Answered(isGood: true, ResponseCode.Content.Value, latency: 1000); }
        return new LoadResult(settings, TimeSpan.FromSeconds(1), tally, TimeSpan.FromSeconds(0.5), 0, null);
    }
}
