namespace CoAP.Testing.Tests;

public sealed class ManualClockTests
{
    private readonly ManualClock _clock = new();
    private readonly List<string> _fired = [];

    [Fact]
    public void Stands_still_until_advanced()
    {
        var (before, utc) = (_clock.GetTimestamp(), _clock.GetUtcNow());

        _clock.Advance(Seconds(90));

        _clock.GetElapsedTime(before).Should().Be(Seconds(90));
        (_clock.GetUtcNow() - utc).Should().Be(Seconds(90));
        _clock.TimestampFrequency.Should().Be(10_000_000);
    }

    [Fact]
    public void Does_not_go_back()
    {
        var back = () => _clock.Advance(Seconds(-1));

        back.Should().Throw<ArgumentOutOfRangeException>();
    }

    [Fact]
    public void Fires_in_the_order_of_due_times_whatever_the_order_of_creation()
    {
        Set("third", 3);
        Set("first", 1);
        Set("second", 2);

        _clock.Advance(Seconds(2));
        _fired.Should().Equal("first at 1", "second at 2");

        _clock.Advance(Seconds(1));
        _fired.Should().Equal("first at 1", "second at 2", "third at 3");
    }

    [Fact]
    public void Fires_what_is_due_at_the_same_time_in_the_order_of_setting()
    {
        using var changed = Set("changed", 1);
        Set("other", 1);
        changed.Change(Seconds(1), Timeout.InfiniteTimeSpan);

        _clock.Advance(Seconds(1));

        _fired.Should().Equal("other at 1", "changed at 1");
    }

    [Fact]
    public void Fires_once_without_a_period_and_not_before_it_is_due()
    {
        Set("once", 5);

        _clock.Advance(TimeSpan.FromTicks(Seconds(5).Ticks - 1));
        _fired.Should().BeEmpty();
        _clock.Advance(TimeSpan.FromTicks(1));
        _clock.Advance(Seconds(100));

        _fired.Should().Equal("once at 5");
        _clock.TimerCount.Should().Be(0);
    }

    [Fact]
    public void Fires_a_periodic_timer_for_each_period_passed()
    {
        Set("tick", 1, period: 2);

        _clock.Advance(Seconds(6));

        _fired.Should().Equal("tick at 1", "tick at 3", "tick at 5");
        _clock.UntilNextTimer.Should().Be(Seconds(1));
    }

    [Fact]
    public void Fires_a_timer_that_another_one_sets_within_the_same_advance()
    {
        _clock.CreateTimer(_ => Set("inner", 1), null, Seconds(1), Timeout.InfiniteTimeSpan);

        _clock.Advance(Seconds(3));

        _fired.Should().Equal("inner at 2");
        _clock.Elapsed.Should().Be(Seconds(3));
    }

    [Fact]
    public void Fires_a_timer_due_in_zero_in_the_next_advance_and_not_at_once()
    {
        Set("now", 0);

        _fired.Should().BeEmpty();
        _clock.Advance(TimeSpan.Zero);

        _fired.Should().Equal("now at 0");
    }

    [Fact]
    public void Does_not_fire_what_a_callback_disposed_at_the_same_time()
    {
        ITimer? victim = null;
        _clock.CreateTimer(_ => victim!.Dispose(), null, Seconds(1), Timeout.InfiniteTimeSpan);
        victim = Set("victim", 1);

        _clock.Advance(Seconds(1));

        _fired.Should().BeEmpty();
    }

    [Fact]
    public void Stops_a_periodic_timer_from_within_its_callback()
    {
        ITimer? timer = null;
        timer = _clock.CreateTimer(_ => { _fired.Add("tick"); timer!.Dispose(); }, null, Seconds(1), Seconds(1));

        _clock.Advance(Seconds(10));

        _fired.Should().Equal("tick");
    }

    [Fact]
    public async Task Change_moves_and_stops_a_timer_until_it_is_disposed()
    {
        var timer = Set("timer", 1);

        timer.Change(Seconds(5), Timeout.InfiniteTimeSpan).Should().BeTrue();
        _clock.Advance(Seconds(4));
        timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan).Should().BeTrue();
        _clock.Advance(Seconds(4));
        await timer.DisposeAsync();

        timer.Change(Seconds(1), Timeout.InfiniteTimeSpan).Should().BeFalse();
        _clock.Advance(Seconds(4));
        _fired.Should().BeEmpty();
    }

    [Fact]
    public void Never_goes_back_when_a_callback_advances_further()
    {
        _clock.CreateTimer(_ => _clock.Advance(Seconds(10)), null, Seconds(1), Timeout.InfiniteTimeSpan);
        Set("later", 5);

        _clock.Advance(Seconds(2));

        _fired.Should().Equal("later at 5");
        _clock.Elapsed.Should().Be(Seconds(11));
    }

    [Fact]
    public async Task Drives_the_time_outs_of_the_framework()
    {
        using var source = new CancellationTokenSource(Seconds(2), _clock);
        var patience = new TaskCompletionSource().Task.WaitAsync(Seconds(3), _clock, CancellationToken.None);

        _clock.Advance(Seconds(2));
        source.IsCancellationRequested.Should().BeTrue();
        patience.IsCompleted.Should().BeFalse();
        _clock.Advance(Seconds(1));

        await patience.Invoking(task => task).Should().ThrowAsync<TimeoutException>();
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
    public async Task Waits_for_timers_that_other_threads_set()
    {
        Set("first", 1);
        var two = _clock.WhenTimersAsync(2);

        _clock.WhenTimersAsync(1).IsCompleted.Should().BeTrue();
        two.IsCompleted.Should().BeFalse();
        var other = Task.Run(() => Set("second", 2));

        await two.WaitAsync(TimeSpan.FromMinutes(1));
        await other;
        _clock.TimerCount.Should().Be(2);
    }

    private static TimeSpan Seconds(int seconds) => TimeSpan.FromSeconds(seconds);

    private ITimer Set(string name, int due, int period = -1) => _clock.CreateTimer(
        _ => _fired.Add($"{name} at {_clock.Elapsed.TotalSeconds}"), null, Seconds(due), period < 0 ? Timeout.InfiniteTimeSpan : Seconds(period));
}
