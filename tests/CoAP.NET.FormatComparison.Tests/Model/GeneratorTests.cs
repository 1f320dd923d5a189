using CoAP.FormatComparison.Model;

namespace CoAP.FormatComparison.Tests.Model;

public sealed class GeneratorTests
{
    [Fact]
    public void The_same_seed_gives_the_same_data()
    {
        var generator = Generators.Figure1();

        var (first, second) = (generator.Create(new RandomSource(7)), generator.Create(new RandomSource(7)));

        first.Matches(second).Should().BeTrue();
        first.Matches(generator.Create(new RandomSource(8))).Should().BeFalse();
    }

    [Fact]
    public void The_first_values_of_a_seed_never_change()
    {
        // SplitMix64 with the seed 0: the first outputs of its reference implementation.
        var random = new RandomSource(0);

        new[] { random.NextBits(), random.NextBits(), random.NextBits() }.Should().Equal(0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F);
    }

    [Fact]
    public void A_list_of_figure_1_has_100_elements_of_its_four_kinds()
    {
        var list = (ListDatum)Generators.Figure1().Create(new RandomSource(42));

        list.Items.Should().HaveCount(100);
        list.Items.Select(static item => item.GetType()).Distinct().Should()
            .BeEquivalentTo([typeof(Int32Datum), typeof(SingleDatum), typeof(TextDatum), typeof(PairDatum)]);
        list.Items.OfType<TextDatum>().Should().OnlyContain(static text => text.Value.Length == 3);
        list.Items.OfType<PairDatum>().Should().OnlyContain(static pair => pair.Key.Length == 5);
        list.Items.OfType<PairDatum>().Select(static pair => pair.Value.GetType()).Distinct()
            .Should().BeEquivalentTo([typeof(BooleanDatum), typeof(DoubleDatum)]);
    }

    [Theory]
    [InlineData(1, 64)]
    [InlineData(3, 4)]
    [InlineData(50, 1)]
    public void A_tree_has_the_depth_the_breadth_and_the_number_of_leaves_that_were_asked_for(int depth, int breadth)
    {
        var tree = Generators.RandomTree(depth, breadth, Generators.RandomInt).Create(new RandomSource(1));

        var level = new List<Datum> { tree };
        for (var at = 0; at < depth; at++)
        {
            level.Should().AllBeOfType<ListDatum>().And.OnlyContain(list => ((ListDatum)list).Items.Length == breadth);
            level = [.. level.SelectMany(static list => ((ListDatum)list).Items)];
        }
        level.Should().AllBeOfType<Int32Datum>().And.HaveCount((int)Math.Pow(breadth, depth));
    }

    [Theory]
    [InlineData(1, 1, 1)]
    [InlineData(0.5, 0.57, 0.60)]
    [InlineData(0, 0.15, 0.19)]
    public void Homogeneity_is_the_share_of_the_first_type(double homogeneity, double least, double most)
    {
        var all = Generators.Primitives.Select(static one => one.Generator).ToList();

        var list = (ListDatum)Generators.RandomList(10_000, Generators.RandomMix(homogeneity, all)).Create(new RandomSource(3));

        (list.Items.OfType<BooleanDatum>().Count() / 10_000.0).Should().BeInRange(least, most);
    }

    [Fact]
    public void The_entropy_of_a_mix_lies_between_that_of_one_type_and_that_of_a_fair_choice()
    {
        var all = Generators.Primitives.Select(static one => one.Generator).ToArray();

        Generators.RandomMix(1, all).Bits.Should().Be(all[0].Bits);
        Generators.RandomMix(0, all).Bits.Should().BeApproximately(Generators.RandomChoice(all).Bits, 1e-9);
    }

    [Fact]
    public void Floats_reach_over_the_whole_range_of_their_type()
    {
        var random = new RandomSource(5);
        var singles = Enumerable.Range(0, 10_000).Select(_ => random.NextSingle()).ToList();
        var doubles = Enumerable.Range(0, 10_000).Select(_ => random.NextDouble()).ToList();

        singles.Should().OnlyContain(static value => float.IsFinite(value));
        doubles.Should().OnlyContain(static value => double.IsFinite(value));
        (singles.Max() / float.MaxValue).Should().BeGreaterThan(0.99f);
        (doubles.Min() / double.MaxValue).Should().BeLessThan(-0.99);
        singles.Average(static value => value / float.MaxValue).Should().BeInRange(-0.03f, 0.03f);
    }
}
