namespace CoAP.Vocabulary;

/// <summary>Waits for a task, but not for ever.</summary>
internal static class PatientWait
{
    /// <summary>Waits for a task that user code can block. Returns <see langword="false"/> if it has not ended in time. Throws what the task throws.</summary>
    /// <param name="task">The task.</param>
    /// <param name="patience">How long to wait.</param>
    /// <param name="time">The clock.</param>
    public static async Task<bool> EndsWithinAsync(this Task task, TimeSpan patience, TimeProvider time)
    {
        // The task may end after the time-out has passed and before this continues, so only the task itself tells.
        await task.WaitAsync(patience, time).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!task.IsCompleted) { return false; }
        await task.ConfigureAwait(false);
        return true;
    }
}
