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
    public void The_clock_knows_how_many_timers_code_of_a_context_has_set()
    {
        var (clock, context) = (new ManualClock(), new SynchronizationContext());
        var outer = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(context);
        using var once = clock.CreateTimer(static _ => { }, null, TimeSpan.FromSeconds(1), Timeout.InfiniteTimeSpan);
        using var again = clock.CreateTimer(static _ => { }, null, TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(2));
        using var unset = clock.CreateTimer(static _ => { }, null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        SynchronizationContext.SetSynchronizationContext(outer);
        using var other = clock.CreateTimer(static _ => { }, null, TimeSpan.FromSeconds(1), Timeout.InfiniteTimeSpan);

        clock.TimersOf(context).Should().Be(2);
        clock.Advance(TimeSpan.FromSeconds(5));
        clock.TimersOf(context).Should().Be(1);
        again.Dispose();
        clock.TimersOf(context).Should().Be(0);
    }

    [Fact]
    public void The_clock_does_not_go_back() =>
        new ManualClock().Invoking(clock => clock.Advance(TimeSpan.FromTicks(-1))).Should().Throw<ArgumentOutOfRangeException>();
}
