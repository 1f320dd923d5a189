using System.Buffers.Binary;
using System.Security.Cryptography;
using CoAP.Vocabulary;

namespace CoAP.Transports;

/// <summary>Takes user code and random numbers to the scheduler of a network, if there is one.</summary>
internal static class ScheduledCalls
{
    extension(NetworkScheduler? scheduler)
    {
        /// <summary>The options of a task that is completed by <see cref="CompleteBy"/>.</summary>
        public TaskCreationOptions Continuations => scheduler is null ? TaskCreationOptions.RunContinuationsAsynchronously : TaskCreationOptions.None;

        /// <summary>Completes a task: at once, or as a piece of work of the scheduler.</summary>
        public void CompleteBy(Action complete)
        {
            if (scheduler is null) { complete(); }
            else { scheduler.Queue(complete); }
        }

        /// <summary>Queues work on the scheduler; on the thread pool if there is none.</summary>
        public void QueueOrPool(Action work)
        {
            if (scheduler is null) { ThreadPool.UnsafeQueueUserWorkItem(static work => work(), work, preferLocal: false); }
            else { scheduler.Queue(work); }
        }

        /// <summary>
        /// Starts user code that a lane does not wait for: as a piece of work of the scheduler; on the thread pool if there is none. Its exceptions are
        /// ignored.
        /// </summary>
        public void RunOffLane(Action code)
        {
            if (scheduler is null) { _ = Task.Run(code); }
            else { scheduler.Queue(() => new Task(code).RunSynchronously(TaskScheduler.Default)); }
        }

        /// <summary>Cancels a source whose callbacks are user code.</summary>
        public void CancelOffLane(CancellationTokenSource source)
        {
            if (scheduler is null) { _ = source.CancelAsync(); }
            else { scheduler.RunOffLane(source.Cancel); }
        }

        /// <summary>Cancels a source whose callbacks are user code. Their exceptions are logged.</summary>
        public Task CancelLoggedAsync(CancellationTokenSource source, EndpointLog log)
        {
            if (scheduler is null) { return source.CancelLoggedAsync(log); }
            var canceled = new TaskCompletionSource();
            scheduler.Queue(() =>
            {
                source.CancelLogged(log);
                canceled.SetResult();
            });
            return canceled.Task;
        }

        /// <summary>Reports that the calling code waits for the endpoint. Returns <see langword="false"/> if it does not run in the context of the scheduler.</summary>
        public bool BeginWait()
        {
            if (scheduler is null || SynchronizationContext.Current != scheduler.Context) { return false; }
            scheduler.OnWait(isOpen: true);
            return true;
        }

        /// <summary>Fills a buffer with random bytes.</summary>
        public void FillRandom(Span<byte> bytes)
        {
            if (scheduler is null) { RandomNumberGenerator.Fill(bytes); }
            else { scheduler.Fill(bytes); }
        }

        /// <summary>Returns a random number.</summary>
        public ulong RandomNumber()
        {
            Span<byte> bytes = stackalloc byte[sizeof(ulong)];
            scheduler.FillRandom(bytes);
            return BinaryPrimitives.ReadUInt64LittleEndian(bytes);
        }

        /// <summary>Returns a new source of random numbers that are not secret.</summary>
        public Random NewRandom() => scheduler is null ? new Random() : new Random((int)scheduler.RandomNumber());

        /// <summary>Returns a random number from 0 to 1.</summary>
        public double NextDouble() => scheduler is null ? Random.Shared.NextDouble() : (scheduler.RandomNumber() >> 11) * (1.0 / (1UL << 53));
    }

    /// <summary>Runs the scheduler until a task has completed. The task may be completed by another thread.</summary>
    public static void RunUntilCompleted(this NetworkScheduler scheduler, Task task)
    {
        _ = task.ContinueWith(
            _ => scheduler.Queue(static () => { }), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        scheduler.RunUntil(() => task.IsCompleted);
    }

    /// <summary>Calls user code in the context of the scheduler. Its result returns as a piece of work, because the endpoint itself awaits without a context.</summary>
    public static ValueTask<T> Call<T, TState>(this NetworkScheduler scheduler, Func<TState, ValueTask<T>> code, TState state)
    {
        var outer = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(scheduler.Context);
        try { return scheduler.Return(code(state)); }
        finally { SynchronizationContext.SetSynchronizationContext(outer); }
    }

    private static ValueTask<T> Return<T>(this NetworkScheduler scheduler, ValueTask<T> pending)
    {
        if (pending.IsCompleted) { return pending; }
        scheduler.OnHandler(isOpen: true);
        var returned = new TaskCompletionSource<T>();
        _ = pending.AsTask().ContinueWith(
            task => scheduler.Queue(() =>
            {
                scheduler.OnHandler(isOpen: false);
                returned.SetFromTask(task);
            }),
            CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        return new(returned.Task);
    }
}
