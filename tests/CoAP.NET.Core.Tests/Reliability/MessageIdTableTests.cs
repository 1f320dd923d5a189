using CoAP.Reliability;
using CoAP.TestSupport;

namespace CoAP.Tests.Reliability;

public class MessageIdTableTests
{
    [Fact]
    [Trait("RFC", "7252 4.4")]
    public void Each_peer_has_a_row_of_its_own_below_the_multicast_range()
    {
        var cut = new MessageIdTable(1024, key: 1);
        var first = cut.Next(10).Value;
        var other = cut.Next(20).Value;

        var row = Enumerable.Range(1, 70_000).Select(_ => cut.Next(10).Value).ToArray();

        row.SequenceEqual(Enumerable.Range(1, 70_000).Select(i => After(first, i))).Should().BeTrue();
        cut.Next(20).Value.Should().Be((ushort)((other + 1) % 64_512));
    }

    [Fact]
    [Trait("RFC", "7252 4.4")]
    public void The_first_number_depends_on_peer_and_key()
    {
        var starts = Enumerable.Range(0, 200).Select(i => new MessageIdTable(1024, key: (ulong)(i % 2)).Next((ulong)i / 2).Value);

        starts.Distinct().Should().HaveCountGreaterThan(190);
    }

    [Fact]
    public void The_peer_unused_for_longest_makes_way_for_a_new_one()
    {
        var cut = new MessageIdTable(4, key: 1);
        var firsts = Enumerable.Range(0, 4).Select(peer => cut.Next((ulong)peer).Value).ToArray();
        cut.Next(0);

        cut.Next(99);

        cut.Next(0).Value.Should().Be(After(firsts[0], 2));
        cut.Next(2).Value.Should().Be(After(firsts[2], 1));
        cut.Next(3).Value.Should().Be(After(firsts[3], 1));
        cut.TryTake(1, out _).Should().BeFalse();
    }

    [Fact]
    public void A_row_can_be_handed_over_and_back()
    {
        var cut = new MessageIdTable(64, key: 1);
        var first = cut.Next(7).Value;

        cut.TryTake(7, out var next).Should().BeTrue();
        var source = MessageIdSource.ForUnicast(0, 0, next.Value);
        source.TryNext(0, strict: true, out var second, out _);
        cut.Put(7, source.Next);

        second.Value.Should().Be(After(first, 1));
        cut.Next(7).Value.Should().Be(After(first, 2));
    }

    [Fact]
    public void Any_number_of_peers_costs_no_memory()
    {
        var allocated = Allocations.Of(static () => new MessageIdTable(1024, key: 1), static cut =>
        {
            for (var peer = 0UL; peer < 100_000; peer++) { cut.Next(peer * 0x9E37_79B9_7F4A_7C15); }
        });

        allocated.Should().Be(0);
    }

    private static ushort After(ushort first, int count) => (ushort)((first + count) % 64_512);
}
