using CoAP.Vocabulary;

namespace CoAP.Tests.Lanes;

public sealed class PatientWaitTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    [Fact]
    public async Task A_task_that_ends_at_the_moment_of_the_timeout_has_ended()
    {
        var work = new TaskCompletionSource();

        // The time-out passes first, and the task ends before whoever waits runs again.
        var wait = work.Task.EndsWithinAsync(Patience, new ImpatientTime(work.SetResult));

        (await wait).Should().BeTrue();
    }

    [Fact]
    public async Task A_task_that_fails_at_the_moment_of_the_timeout_throws_its_own_error()
    {
        var work = new TaskCompletionSource();

        var wait = work.Task.EndsWithinAsync(Patience, new ImpatientTime(() => work.SetException(new InvalidOperationException("the task's own"))));

        await FluentActions.Awaiting(() => wait).Should().ThrowAsync<InvalidOperationException>().WithMessage("the task's own");
    }

    [Fact]
    public async Task A_task_that_takes_too_long_has_not_ended() =>
        (await new TaskCompletionSource().Task.EndsWithinAsync(Patience, new ImpatientTime(static () => { }))).Should().BeFalse();

    [Fact]
    public async Task An_exception_of_the_task_is_rethrown_even_if_it_is_a_timeout() =>
        await Task.FromException(new TimeoutException("the task's own")).Invoking(static task => task.EndsWithinAsync(Patience, TimeProvider.System))
            .Should().ThrowAsync<TimeoutException>().WithMessage("the task's own");

    /// <summary>A clock whose timers fire at once.</summary>
    private sealed class ImpatientTime(Action next) : TimeProvider
    {
        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            callback(state);
            next();
            return base.CreateTimer(static _ => { }, null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        }
    }
}
