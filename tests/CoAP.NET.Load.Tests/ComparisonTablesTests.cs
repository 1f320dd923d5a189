using System.Net;
using CoAP.Load.Compare;

namespace CoAP.Load.Tests;

public class ComparisonTablesTests
{
    private static readonly Peer Ours = new("CoAP.NET", "coap.net", "dotnet");
    private static readonly Peer Echo = new("bare echo, batched", "batched", "dotnet");
    private static readonly Case Few = new(IsTcp: false, Sockets: 16, Outstanding: 64);
    private static readonly Case Many = new(IsTcp: false, Sockets: 10_000, Outstanding: 64);

    [Fact]
    public void Ours_is_compared_with_each_other_server_round_by_round()
    {
        var tables = new ComparisonTables([Run(Few, Ours, 1, 300), Run(Few, Echo, 1, 400), Run(Few, Ours, 2, 100), Run(Few, Echo, 2, 200)]);

        tables.Ratios().Rows.Should().ContainSingle().Which[..4].Should().Equal("UDP, 64 over 16 sockets", "CoAP.NET", "bare echo, batched", "0.6250");
    }

    [Fact]
    public void More_sockets_are_held_against_the_fewest_and_against_what_they_cost_the_bare_echo()
    {
        var tables = new ComparisonTables([Run(Few, Ours, 1, 300), Run(Few, Echo, 1, 400), Run(Many, Ours, 1, 150), Run(Many, Echo, 1, 160)]);

        var ours = tables.Sockets().Rows.Single(row => row[0] == "CoAP.NET");
        var echo = tables.Sockets().Rows.Single(row => row[0] == "bare echo, batched");

        (ours[2], ours[3], ours[5]).Should().Be(("10000", "0.5000", "1.250"));
        (echo[2], echo[3], echo[5]).Should().Be(("10000", "0.4000", ""));
    }

    [Fact]
    public void What_a_server_tells_of_itself_stands_in_the_row_of_its_round()
    {
        var told = new ServerTold(Window: 1.5, LongestPause: 0.25, Pauses: 7, Allocated: 4000, OlderCollections: 2, Received: 10);
        var tables = new ComparisonTables([Run(Few, Ours, 1, 300) with { Told = told }, Run(Few, Echo, 1, 400)]);

        var rounds = tables.Rounds();
        string Cell(int row, string column) => rounds.Rows[row][rounds.Columns.ToList().IndexOf(column)];

        new[] { "window_s", "longest_pause_ms", "pauses", "collections_gen1", "allocated_per_message" }.Select(column => Cell(0, column))
            .Should().Equal("1.5", "0.25", "7", "2", "400");
        Cell(1, "longest_pause_ms").Should().BeEmpty();
    }

    [Fact]
    public void CPU_is_held_against_the_same_server_over_16_sockets_with_as_many_outstanding()
    {
        var (fewWithOne, manyWithMore) = (Few with { Outstanding = 1 }, Many with { Outstanding = 256 });
        var tables = new ComparisonTables(
        [
            Run(Few, Ours, cpu: 2), Run(fewWithOne, Ours, cpu: 9), Run(Few, Echo, cpu: 5), Run(Many, Ours, cpu: 3), Run(Many, Echo, cpu: 25),
            Run(manyWithMore, Ours, cpu: 4), Run(Few with { IsTcp = true }, Ours, cpu: 2),
        ]);

        var results = tables.Results();
        var column = results.Rows.Select(row => row[results.Columns.ToList().IndexOf("CPU to 16 sockets")]);

        column.Should().Equal("1.000", "1.000", "1.000", "1.500", "5.000", "", "");
    }

    private static Measurement Run(Case one, Peer peer, double cpu)
    {
        var run = Run(one, peer, 1, 1_000);
        return run with { Result = run.Result with { Server = (default, new ProcessProbe(TimeSpan.FromMilliseconds(cpu), 0, 0)) } };
    }

    private static Measurement Run(Case one, Peer peer, int round, int good)
    {
        var settings = new LoadSettings { Server = new IPEndPoint(IPAddress.Loopback, 5683) };
        var tally = new Tally();
        for (var i = 0; i < good; i++) { tally.Answered(RequestCode.Get, Messages.Content, latency: 1000); }
        var result = new LoadResult(settings, TimeSpan.FromSeconds(1), tally, TimeSpan.FromSeconds(0.5), 0, [good]);
        return new(one, peer, round, result, new ServerTold(null, null, null, null, null, null));
    }
}
