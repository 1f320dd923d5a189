using CoAP.Reliability;

namespace CoAP.Tests.Reliability;

public class ProbingBudgetTests
{
    private const long Second = TimeSpan.TicksPerSecond;

    [Fact]
    [Trait("RFC", "7252 4.7")]
    public void A_silent_endpoint_gets_one_byte_a_second_on_average()
    {
        var cut = new ProbingBudget(rate: 1, burst: 0);
        var (sent, now) = (0, 5 * Second);
        for (var i = 0; i < 100; i++)
        {
            if (cut.TryTake(50, now, out now)) { sent += 50; }
        }

        now.Should().Be((5 + 50 * 50) * Second);
        sent.Should().Be(50 * 51 - 50);
    }

    [Fact]
    [Trait("RFC", "7252 4.7")]
    public void The_burst_may_go_out_at_once_but_counts()
    {
        var cut = new ProbingBudget(rate: 10, burst: 100);

        cut.TryTake(60, 0, out _).Should().BeTrue();
        cut.TryTake(60, 0, out _).Should().BeTrue();
        cut.TryTake(60, 0, out var retryAt).Should().BeFalse();

        retryAt.Should().BeCloseTo(2 * Second, 1);      // 120 bytes take 12 s, the bucket holds 10
        cut.TryTake(60, retryAt, out _).Should().BeTrue();
    }

    [Fact]
    [Trait("RFC", "7252 4.7")]
    public void An_endpoint_that_was_heard_from_is_not_slowed_down()
    {
        var cut = new ProbingBudget(rate: 1, burst: 0);

        for (var i = 0; i < 10; i++)
        {
            cut.TryTake(1000, i, out _).Should().BeTrue();
            cut.TryTake(1000, i, out _).Should().BeFalse();
            cut.Heard();
        }
    }
}
