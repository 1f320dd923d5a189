using CoAP.Benchmarks.Reporting;
using CoAP.FormatComparison.Formats;
using CoAP.FormatComparison.Measuring;
using CoAP.FormatComparison.Reports;

namespace CoAP.FormatComparison.Tests.Reports;

public sealed class RankingTableTests
{
    [Fact]
    public void Formats_are_ordered_by_their_figure_with_multiples_of_the_best() =>
        RankingTable.Order([("XML", 30), ("CBOR", 10), ("JSON", 25)]).Should().Be("CBOR 1.0; JSON 2.5; XML 3.0");

    [Fact]
    public void Formats_without_a_figure_are_left_out() =>
        RankingTable.Order([("XML", double.NaN), ("CBOR", 10), ("JSON", 0)]).Should().Be("CBOR 1.0");

    [Fact]
    public void The_document_serialized_large_lists_of_XML_in_Rust_but_could_not_deserialize_them()
    {
        var data = new DataSets(FormatSet.Default, seed: 1).Ints("list", 4);
        var cost = new Cost(new Runs([1.0]), Allocated: 0);

        var rows = RankingTable.Of([new Result(data, FormatNames.Xml, 92, cost, cost)], []).Rows;

        rows.First(static row => row[1] == "serialize")[4].Should().EndWith("XML last");
        rows.First(static row => row[1] == "deserialize")[4].Should().EndWith("XML fails from 4 MB on");
    }
}
