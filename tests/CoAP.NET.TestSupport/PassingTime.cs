namespace CoAP.TestSupport;

/// <summary>Simulated time that passes for lanes with threads of their own.</summary>
public static class PassingTime
{
    private static readonly TimeSpan Step = TimeSpan.FromSeconds(0.2), LongestStep = TimeSpan.FromSeconds(5);

    // A message passes from one lane to another, to a handler, and back.
    private const int Turns = 4;

    // Of the machine's time, not of the simulated one: a test that hangs ends.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    /// <summary>Lets time pass until it happens or fails, and at most so much.</summary>
    /// <remarks>
    /// In small steps, with room for the threads of the lanes in each: time that runs ahead of them ends what they have just begun. While no
    /// timer is due, the steps grow.
    /// </remarks>
    public static async Task PassAsync(this ManualClock time, Task task, TimeSpan most)
    {
        var step = Step;
        for (var end = time.Elapsed + most; time.Elapsed < end && !task.IsCompleted;)
        {
            var isQuiet = time.UntilNextTimer is not { } next || next > step;
            time.Advance(isQuiet ? step : Step);
            step = isQuiet ? TimeSpan.FromTicks(Math.Min(2 * step.Ticks, LongestStep.Ticks)) : Step;
            await SettleAsync(task);
        }
    }

    /// <summary>Lets time pass until it happens, and answers what came of it.</summary>
    public static async Task<T> PassAsync<T>(this ManualClock time, Task<T> task)
    {
        await time.PassAsync((Task)task);
        return await task;
    }

    /// <summary>Lets time pass until it happens.</summary>
    public static async Task PassAsync(this ManualClock time, Task task)
    {
        for (var begin = Environment.TickCount64; !task.IsCompleted && Environment.TickCount64 - begin < Patience.TotalMilliseconds;)
        {
            await time.PassAsync(task, TimeSpan.FromMinutes(1));
        }
        await task.WaitAsync(TimeSpan.Zero);
    }

    /// <summary>Gives the threads of the lanes room to do what they can do now, or as much of it as it takes for something to happen.</summary>
    public static async Task SettleAsync(Task? task = null)
    {
        for (var turns = 0; turns < Turns && task?.IsCompleted != true; turns++)
        {
            await ProcessorEcho.AskAsync();
            for (var yields = 0; yields < 50 && task?.IsCompleted != true; yields++) { await Task.Yield(); }
        }
    }
}
