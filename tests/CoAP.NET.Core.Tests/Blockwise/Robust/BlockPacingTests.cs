using CoAP.Blockwise;

namespace CoAP.Tests.Blockwise.Robust;

public class BlockPacingTests
{
    private static long Seconds(double value) => (long)(value * TimeSpan.TicksPerSecond);

    private static BlockPacing Create(int count) => new(count, RobustTransferSettings.Default, now: 0, chance: 0.5);

    private static int[] Drain(BlockPacing cut, double at)
    {
        var numbers = new List<int>();
        while (cut.TryNext(Seconds(at), out var number, out _)) { numbers.Add(number); }
        return [.. numbers];
    }

    [Fact]
    [Trait("RFC", "9177 7.2")]
    public void Between_two_sets_lies_NON_TIMEOUT_RANDOM()
    {
        var cut = Create(25);

        Drain(cut, 0).Should().Equal(Enumerable.Range(0, 10));
        cut.Deadline.Should().Be(Seconds(2.5));
        Drain(cut, 2.4).Should().BeEmpty();
        Drain(cut, 2.5).Should().Equal(Enumerable.Range(10, 10));
        Drain(cut, 100).Should().Equal([20, 21, 22, 23, 24], "polled late it sends one set, not all that were missed");
    }

    [Fact]
    [Trait("RFC", "9177 7.2")]
    public void A_Continue_lets_the_next_set_go_at_once()
    {
        var cut = Create(25);
        Drain(cut, 0);

        cut.Continue(10, Seconds(0.1));

        Drain(cut, 0.1).Should().Equal(Enumerable.Range(10, 10));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(11)]
    [InlineData(20)]
    [InlineData(1 << 20)]
    public void A_Continue_for_what_was_not_sent_changes_nothing(int next)
    {
        var cut = Create(25);
        Drain(cut, 0);

        cut.Continue(next, Seconds(0.1));

        Drain(cut, 2.4).Should().BeEmpty();
    }

    [Fact]
    [Trait("RFC", "9177 7.2")]
    public void A_Continue_that_crossed_the_set_on_its_way_does_not_repeat_it()
    {
        var cut = Create(25);
        Drain(cut, 0);
        Drain(cut, 2.5);

        cut.Continue(10, Seconds(2.6));

        Drain(cut, 2.6).Should().BeEmpty();
    }

    [Fact]
    [Trait("RFC", "9177 7.2")]
    public void Missing_blocks_go_first_and_then_the_pause_begins_again()
    {
        var cut = Create(25);
        Drain(cut, 0);

        cut.Missing([1, 9, 24, 1 << 19], Seconds(2));

        Drain(cut, 2).Should().Equal([1, 9], "24 comes in its turn");
        cut.Deadline.Should().Be(Seconds(4.5));
    }

    [Fact]
    [Trait("RFC", "9177 7.2")]
    public void Repeated_requests_get_at_most_MAX_PAYLOADS_blocks_per_NON_TIMEOUT_RANDOM()
    {
        var cut = Create(10);
        Drain(cut, 0);
        var sent = 0;

        for (var at = 10.0; at < 20; at += 0.1)
        {
            cut.Missing([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], Seconds(at));
            sent += Drain(cut, at).Length;
        }

        sent.Should().Be(40, "a new allowance comes at 10, 12.5, 15 and 17.5 seconds");
    }

    [Fact]
    public void Endless_requests_get_at_most_NON_MAX_RETRANSMIT_repetitions_of_each_block_and_one_set()
    {
        var cut = Create(10);
        Drain(cut, 0);
        var sent = 0;

        for (var at = 10.0; at < 1000; at += 3)
        {
            cut.Missing([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], Seconds(at));
            sent += Drain(cut, at).Length;
        }

        sent.Should().Be((10 + 10) * 4);
        cut.IsOver.Should().BeTrue();
    }

    [Fact]
    [Trait("RFC", "9177 7.2")]
    public void A_silent_body_is_dropped_after_NON_PARTIAL_TIMEOUT()
    {
        var cut = Create(3);
        Drain(cut, 1);

        cut.Deadline.Should().Be(Seconds(248));
        Drain(cut, 247.9);
        cut.IsOver.Should().BeFalse();
        Drain(cut, 248);
        cut.IsOver.Should().BeTrue();
        cut.Deadline.Should().Be(long.MaxValue);
    }
}
