using CoAP.FormatComparison.Formats;
using CoAP.FormatComparison.Model;

namespace CoAP.FormatComparison.Tests.Formats;

public sealed class DataSetsTests
{
    private static readonly DataSets Sets = new(FormatSet.Raised, seed: 42);

    public static TheoryData<string, string> Small
    {
        get
        {
            var data = new TheoryData<string, string>();
            foreach (var set in All()) { foreach (var one in set.Cases) { data.Add(set.Name, one.Format); } }
            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Small))]
    public void Each_format_returns_the_same_data(string name, string format)
    {
        var one = All().First(set => set.Name == name).Cases.First(one => one.Format == format);

        var bytes = one.ToBytes();

        one.Matches(one.Deserialize(bytes)).Should().BeTrue();
        one.ToBytes().Should().Equal(bytes);
    }

    [Fact]
    public void Each_data_set_has_all_formats()
    {
        foreach (var set in All())
        {
            string[] missing = set.Group switch
            {
                "lists" => [],
                "tree" => [FormatNames.ProtobufFixed],
                _ => [FormatNames.ProtobufFixed, .. FormatNames.References],
            };
            set.Cases.Select(static one => one.Format).Should().BeEquivalentTo(FormatNames.All.Except(missing), set.Name);
        }
    }

    [Fact]
    public void No_format_takes_less_than_the_entropy_of_random_integers()
    {
        var set = Sets.Ints("ints", 10_000);

        set.MinimumBytes.Should().Be(40_000);
        set.HighestRatio.Should().Be(1);
        set.Cases.Should().OnlyContain(one => one.ToBytes().Length >= 40_000);
    }

    [Fact]
    public void A_verification_notices_a_changed_value()
    {
        var one = Sets.Primitives("int32", 10, Generators.RandomInt).Cases.First(static one => one.Format == FormatNames.Json);
        var text = System.Text.Encoding.UTF8.GetString(one.ToBytes());

        var changed = System.Text.Encoding.UTF8.GetBytes(text.Replace("[", "[1,", StringComparison.Ordinal));

        one.Matches(one.Deserialize(changed)).Should().BeFalse();
    }

    private static IEnumerable<DataSet> All() =>
    [
        Sets.Ints("ints", 1000), Sets.Tree("tree", 4, 8), Sets.Figure1("figure 1", "mixed", 100),
        Sets.Lists("nested", "depth", 30, 1), Sets.Lists("broad", "breadth", 2, 8),
        .. Generators.Primitives.Select(static one => Sets.Primitives(one.Name, 50, one.Generator)),
        Sets.Primitives("mixed primitives", 200, Generators.RandomMix(0, [.. Generators.Primitives.Select(static one => one.Generator)])),
    ];
}
