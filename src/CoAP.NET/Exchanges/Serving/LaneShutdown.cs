using CoAP.Lanes;
using CoAP.Vocabulary;

namespace CoAP.Exchanges;

/// <summary>Ends lanes in bounded time.</summary>
internal static class LaneShutdown
{
    // A turn takes milliseconds, unless user code blocks it.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    /// <summary>
    /// Ends lanes. Logs the lanes that user code blocks, and does not wait for them. Such a lane ends and closes its sockets when the
    /// user code returns. The task fails if a defect has ended one of the other lanes.
    /// </summary>
    public static async Task StopAsync(this IEnumerable<(ExchangeLane Lane, LaneRunner Runner)> lanes, TimeProvider time)
    {
        var ending = lanes.Select(static one => (one.Lane, Ended: one.Runner.StopAsync())).ToArray();
        await Task.WhenAll(ending.Select(static one => Settled(one.Ended))).CompletesAsync(time).ConfigureAwait(false);
        foreach (var (lane, ended) in ending)
        {
            if (!ended.IsCompleted) { Log.LaneNotEnded(lane.Logger, lane.Current is IncomingRequest request ? request.Route?.Template ?? RequestLog.PathOf(request) : "unknown"); }
        }
        await Task.WhenAll(ending.Select(static one => one.Ended).Where(static ended => ended.IsCompleted)).ConfigureAwait(false);
    }

    // Completes with the task and never fails, so that a lane that is blocked first and fails later leaves no unobserved exception.
    private static Task Settled(Task task) =>
        task.ContinueWith(static _ => { }, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);

    /// <summary>Waits for a task that user code can block. Returns <see langword="false"/> if it takes too long.</summary>
    public static Task<bool> CompletesAsync(this Task task, TimeProvider time) => task.EndsWithinAsync(Patience, time);
}
