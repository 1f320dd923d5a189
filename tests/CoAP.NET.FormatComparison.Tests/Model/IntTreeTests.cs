using CoAP.FormatComparison.Model;

namespace CoAP.FormatComparison.Tests.Model;

public sealed class IntTreeTests
{
    [Fact]
    public void The_tree_of_the_document_has_4_levels_and_585_nodes()
    {
        var tree = IntTree.Create(new RandomSource(42), levels: 4, breadth: 8);

        tree.CountLevels().Should().Be(4);
        tree.CountNodes().Should().Be(1 + 8 + 64 + 512);
        tree.Children.Should().HaveCount(8);
    }

    [Fact]
    public void Trees_match_only_if_all_nodes_do()
    {
        var tree = IntTree.Create(new RandomSource(1), 3, 2);

        tree.Matches(IntTree.Create(new RandomSource(1), 3, 2)).Should().BeTrue();
        tree.Matches(IntTree.Create(new RandomSource(1), 2, 2)).Should().BeFalse();
        tree.Matches(IntTree.Create(new RandomSource(2), 3, 2)).Should().BeFalse();
    }
}
