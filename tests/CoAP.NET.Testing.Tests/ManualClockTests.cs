namespace CoAP.Testing.Tests;

public class ManualClockTests
{
    [Fact]
    public void Timers_fire_in_order_inside_Advance_at_their_own_times()
    {
        var clock = new ManualClock();
        List<TimeSpan> fired = [];
        using var second = clock.CreateTimer(_ => fired.Add(clock.Elapsed), null, TimeSpan.FromSeconds(2), Timeout.InfiniteTimeSpan);
        using var first = clock.CreateTimer(_ => fired.Add(clock.Elapsed), null, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2));

        clock.Advance(TimeSpan.FromSeconds(4));

        fired.Should().Equal(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(3));
    }

    [Fact]
    public void The_wall_clock_starts_where_the_test_wants()
    {
        var start = new DateTimeOffset(2031, 5, 1, 12, 0, 0, TimeSpan.Zero);
        var clock = new ManualClock(start);

        clock.Advance(TimeSpan.FromMinutes(5));

        clock.GetUtcNow().Should().Be(start + TimeSpan.FromMinutes(5));
    }

    [Fact]
    public void The_clock_does_not_go_back() =>
        new ManualClock().Invoking(clock => clock.Advance(TimeSpan.FromTicks(-1))).Should().Throw<ArgumentOutOfRangeException>();
}
