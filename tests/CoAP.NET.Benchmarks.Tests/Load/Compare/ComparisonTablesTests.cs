using System.Net;
using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load.Tests;

public class ComparisonTablesTests
{
    private static readonly Peer Ours = new("CoAP.NET", "coap.net", "dotnet");
    private static readonly Peer Bare = new("bare sockets, batched", "batched", "dotnet");
    private static readonly Case Few = new(IsTcp: false, Sockets: 16, Outstanding: 64);

    [Fact]
    public void Ratios_are_those_of_one_round_and_then_their_median()
    {
        var tables = new ComparisonTables([Run(Ours, 1, 300), Run(Bare, 1, 400), Run(Ours, 2, 100), Run(Bare, 2, 200)]);

        tables.Ratios().Rows.Should().ContainSingle().Which[..4].Should().Equal("UDP, 64 over 16 sockets", "CoAP.NET", "bare sockets, batched", "0.6250");
    }

    [Fact]
    public void The_metrics_of_a_server_stand_in_the_row_of_its_round()
    {
        var metrics = new Dictionary<string, double> { ["coap.deduplication.window"] = 1.5, ["dotnet.allocated"] = 4000, ["coap.message.received"] = 10 };
        var tables = new ComparisonTables([Run(Ours, 1, 300) with { Metrics = metrics }, Run(Bare, 1, 400)]);

        var rounds = tables.Rounds();
        string Cell(int row, string column) => rounds.Rows[row][rounds.Columns.ToList().IndexOf(column)];

        (Cell(0, "window s"), Cell(0, "bytes/message"), Cell(1, "window s")).Should().Be(("1.5", "400", ""));
    }

    [Fact]
    public void Results_are_medians_of_the_rounds()
    {
        var results = new ComparisonTables([Run(Ours, 1, 300), Run(Ours, 2, 100), Run(Ours, 3, 200)]).Results();

        results.Rows.Should().ContainSingle().Which[results.Columns.ToList().IndexOf("requests/s")].Should().Be("200.0");
    }

    private static Measurement Run(Peer peer, int round, int good)
    {
        var settings = new LoadSettings { Server = new IPEndPoint(IPAddress.Loopback, 5683) };
        var tally = new Tally();
        for (var i = 0; i < good; i++) { tally.Answered(isGood: true, ResponseCode.Content.Value, latency: 1000); }
        return new(Few, peer, round, new LoadResult(settings, TimeSpan.FromSeconds(1), tally, TimeSpan.FromSeconds(0.5), 0, null), new Dictionary<string, double>());
    }
}
