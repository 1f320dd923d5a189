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
}
