using CoAP.Vocabulary;

namespace CoAP.Runtimes;

/// <summary>Runs the endpoints of an in-memory network where its scheduler says, one piece of work at a time.</summary>
internal sealed class ScheduledRuntime(NetworkScheduler scheduler) : EndpointRuntime(hasThreads: false)
{
    public override TaskCreationOptions Continuations => TaskCreationOptions.None;

    public override void Queue(Action work) => scheduler.Queue(work);

    public override void Queue(IThreadPoolWorkItem work) => scheduler.Queue(work.Execute);

    public override void StartThreads(int count, string name, Action run)
    {
        for (var i = 0; i < count; i++) { scheduler.Queue(run); }
    }

    public override void Complete(Action complete) => scheduler.Queue(complete);

    public override void Complete(Action<object?> complete, object? state) => scheduler.Queue(() => complete(state));

    public override void RunOffLane(Action code) => scheduler.Queue(() => new Task(code).RunSynchronously(TaskScheduler.Default));

    public override void CancelOffLane(CancellationTokenSource source) => RunOffLane(source.Cancel);

    public override Task CancelLoggedAsync(CancellationTokenSource source, EndpointLog log)
    {
        var canceled = new TaskCompletionSource();
        scheduler.Queue(() =>
        {
            source.CancelLogged(log);
            canceled.SetResult();
        });
        return canceled.Task;
    }

    public override void HelpUntil(Func<object?, bool> isDone, object? state, CancellationToken cancellationToken = default) =>
        scheduler.RunUntil(() => isDone(state), cancellationToken);

    public override void HelpUntilCompleted(Task task)
    {
        // Another thread may complete the task, and then nothing else would wake this one.
        _ = task.ContinueWith(
            _ => scheduler.Queue(static () => { }), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default);
        scheduler.RunUntil(() => task.IsCompleted);
    }

    public override void HelpBeforeAwait(Task task)
    {
        if (!scheduler.IsRunning) { HelpUntilCompleted(task); }
    }

    // Of the waiting code, only that of users counts.
    public override bool BeginWait()
    {
        if (SynchronizationContext.Current != scheduler.Context) { return false; }
        scheduler.OnWait(isOpen: true);
        return true;
    }

    public override void EndWait() => scheduler.OnWait(isOpen: false);

    public override void OnExchanges(long change) => scheduler.OnExchanges(change);

    public override void FillRandom(Span<byte> bytes) => scheduler.Fill(bytes);

    public override Random NewRandom() => new((int)RandomNumber());

    public override double NextDouble() => (RandomNumber() >> 11) * (1.0 / (1UL << 53));

    public override void ShareScheduler(Action<NetworkScheduler> part) => part(scheduler);

    protected override ValueTask<T> CallInContext<T, TState>(Func<TState, ValueTask<T>> code, TState state)
    {
        var outer = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(scheduler.Context);
        try { return Return(code(state)); }
        finally { SynchronizationContext.SetSynchronizationContext(outer); }
    }

    // The result returns as a piece of work, because the endpoint itself awaits without a context.
    private ValueTask<T> Return<T>(ValueTask<T> pending)
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
