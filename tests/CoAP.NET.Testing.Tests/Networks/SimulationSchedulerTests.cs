namespace CoAP.Testing.Tests.Networks;

public class SimulationSchedulerTests
{
    [Fact]
    public void A_timer_that_is_set_when_nothing_was_left_to_do_still_fires()
    {
        var world = new SimulatedNetwork();
        var (questions, hasFired) = (0, false);
        ITimer? timer = null;

        world.InMemoryNetwork.Scheduler!.RunUntil(() =>
        {
            // The first question is asked at the start, the second one when no timer was found.
            if (++questions == 2) { timer = world.Clock.CreateTimer(_ => hasFired = true, null, TimeSpan.FromSeconds(1), Timeout.InfiniteTimeSpan); }
            return hasFired;
        });

        world.Clock.Elapsed.Should().Be(TimeSpan.FromSeconds(1));
        timer!.Dispose();
    }

    [Fact]
    public void A_wait_for_a_timer_behind_the_limit_of_simulated_time_ends_with_an_error()
    {
        var world = new SimulatedNetwork();
        using var timer = world.Clock.CreateTimer(_ => { }, null, TimeSpan.FromDays(2), Timeout.InfiniteTimeSpan);

        world.Invoking(one => one.InMemoryNetwork.Scheduler!.RunUntil(() => false)).Should().Throw<TimeoutException>().WithMessage("*of simulated time, the wait has not ended*");
    }
}
