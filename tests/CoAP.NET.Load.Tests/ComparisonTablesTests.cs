using System.Net;
using CoAP.Load.Compare;

namespace CoAP.Load.Tests;

public class ComparisonTablesTests
{
    private static readonly Peer Ours = new("CoAP.NET", "coap.net", "");
    private static readonly Peer Other = new("libcoap", "libcoap", "");

    [Fact]
    public void CPU_of_a_case_is_held_against_the_same_server_over_16_sockets_with_as_many_outstanding()
    {
        var tables = new ComparisonTables(
        [
            Measured(Ours, 16, 64, cpu: 2), Measured(Ours, 16, 1, cpu: 9), Measured(Other, 16, 64, cpu: 5),
            Measured(Ours, 1_000, 64, cpu: 3), Measured(Other, 1_000, 64, cpu: 25), Measured(Ours, 1_000, 256, cpu: 4),
        ]);

        var column = ColumnOf(tables, "CPU to 16 sockets");

        column.Should().Equal("1.000", "1.000", "1.000", "1.500", "5.000", "");
    }

    [Fact]
    public void CPU_of_connections_is_held_against_nothing()
    {
        var tables = new ComparisonTables([Measured(Ours, 16, 1, cpu: 2, isTcp: true), Measured(Ours, 1_000, 1, cpu: 2, isTcp: true)]);

        var column = ColumnOf(tables, "CPU to 16 sockets");

        column.Should().Equal("", "");
    }

    private static IEnumerable<string> ColumnOf(ComparisonTables tables, string name)
    {
        var table = tables.Results();
        var at = table.Columns.ToList().IndexOf(name);
        return table.Rows.Select(row => row[at]);
    }

    // A thousand requests, so that milliseconds of all are seconds of a million.
    private static Measurement Measured(Peer peer, int sockets, int outstanding, double cpu, bool isTcp = false)
    {
        var tally = new Tally();
        for (var i = 0; i < 1_000; i++) { tally.Answered(RequestCode.Get, 0x45, 1_000); }
        var settings = new LoadSettings { Server = new IPEndPoint(IPAddress.Loopback, 0) };
        var result = new LoadResult(settings, TimeSpan.FromSeconds(1), tally, TimeSpan.FromSeconds(1), 0, [])
        {
            Server = (default, new ProcessProbe(TimeSpan.FromMilliseconds(cpu), 0, 0)),
        };
        return new(new Case(isTcp, sockets, outstanding), peer, 1, result, null);
    }
}
