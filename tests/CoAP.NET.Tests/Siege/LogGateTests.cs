namespace CoAP.Tests.Siege;

public sealed class LogGateTests
{
    [Fact]
    public void Lets_one_line_in_ten_seconds_through_and_counts_the_others()
    {
        var time = new ManualClock();
        var cut = new LogGate(time);

        var first = cut.TryPass(out var heldBeforeFirst);
        for (var at = 0; at < 500; at++) { cut.TryPass(out _).Should().BeFalse(); }
        time.Advance(TimeSpan.FromSeconds(9.9));
        var early = cut.TryPass(out _);
        time.Advance(TimeSpan.FromSeconds(0.1));
        var second = cut.TryPass(out var held);

        (first, heldBeforeFirst).Should().Be((true, 0));
        early.Should().BeFalse();
        (second, held).Should().Be((true, 501));
    }
}
