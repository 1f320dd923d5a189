using CoAP.FormatComparison.Model;

namespace CoAP.FormatComparison.Tests.Model;

public sealed class DatumTests
{
    [Fact]
    public void The_native_size_is_that_of_table_1()
    {
        var list = new ListDatum(
        [
            new BooleanDatum(true), new Int32Datum(1), new Int64Datum(1), new SingleDatum(1), new DoubleDatum(1), new TextDatum("abc"),
            new PairDatum("key", new Int32Datum(1)),
        ]);

        list.RawBytes.Should().Be(1 + 4 + 8 + 4 + 8 + 3 + (3 + 4));
    }

    [Fact]
    public void Numbers_match_across_types_if_they_are_the_same_number()
    {
        new Int64Datum(5).Matches(new Int32Datum(5)).Should().BeTrue();
        new SingleDatum(3).Matches(new Int32Datum(3)).Should().BeTrue();
        new SingleDatum(0.1f).Matches(new DoubleDatum(0.1)).Should().BeTrue("JSON writes the shortest text that gives the same float");
        new DoubleDatum(0.1).Matches(new SingleDatum(0.1f)).Should().BeFalse();
        new Int32Datum(3).Matches(new DoubleDatum(3)).Should().BeFalse();
    }

    [Fact]
    public void Lists_and_pairs_match_only_if_all_parts_do()
    {
        var list = new ListDatum([new PairDatum("a", new BooleanDatum(true))]);

        list.Matches(new ListDatum([new PairDatum("a", new BooleanDatum(true))])).Should().BeTrue();
        list.Matches(new ListDatum([new PairDatum("b", new BooleanDatum(true))])).Should().BeFalse();
        list.Matches(new ListDatum([new PairDatum("a", new BooleanDatum(false))])).Should().BeFalse();
        list.Matches(new ListDatum([])).Should().BeFalse();
    }
}
