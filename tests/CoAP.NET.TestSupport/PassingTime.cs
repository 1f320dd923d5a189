namespace CoAP.TestSupport;

/// <summary>Simulated time that passes for lanes with threads of their own.</summary>
public static class PassingTime
{
    private static readonly TimeSpan Step = TimeSpan.FromSeconds(0.2);

    /// <summary>Lets time pass until it happens or fails, and at most so much.</summary>
    /// <remarks>In small steps, with room for the threads of the lanes in each: time that runs ahead of them ends what they have just begun.</remarks>
    public static async Task PassAsync(this ManualClock time, Task task, TimeSpan most)
    {
        for (var end = time.Elapsed + most; time.Elapsed < end && !task.IsCompleted;)
        {
            time.Advance(Step);
            await SettleAsync(task);
        }
    }

    /// <summary>Lets an hour pass at most, in which it has to happen, and answers what came of it.</summary>
    public static async Task<T> PassAsync<T>(this ManualClock time, Task<T> task)
    {
        await time.PassAsync(task, TimeSpan.FromHours(1));
        return await task.WaitAsync(TimeSpan.FromMinutes(1));
    }

    /// <inheritdoc cref="PassAsync{T}(ManualClock, Task{T})"/>
    public static async Task PassAsync(this ManualClock time, Task task)
    {
        await time.PassAsync(task, TimeSpan.FromHours(1));
        await task.WaitAsync(TimeSpan.FromMinutes(1));
    }

    /// <summary>Gives the threads of the lanes room to do what they can do now, or as much of it as it takes for something to happen.</summary>
    public static async Task SettleAsync(Task? task = null)
    {
        for (var yields = 0; yields < 200 && task?.IsCompleted != true; yields++) { await Task.Yield(); }
        for (var yields = 0; yields < 20 && task?.IsCompleted != true; yields++) { await Task.Run(static () => Thread.Yield()); }
    }
}
