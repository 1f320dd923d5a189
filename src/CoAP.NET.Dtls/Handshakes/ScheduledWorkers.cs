namespace CoAP.Dtls;

/// <summary>Computes handshakes on their lanes. What the user's code awaits continues in the context of the scheduler.</summary>
internal sealed class ScheduledWorkers(NetworkScheduler scheduler) : HandshakeWorkers
{
    public override void Start(Func<Task> code)
    {
        var outer = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(scheduler.Context);
        try
        {
            var task = code();
            if (task.IsCompleted) { return; }
            scheduler.OnHandler(isOpen: true);
            _ = task.ContinueWith(
                _ => scheduler.OnHandler(isOpen: false), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously,
                TaskScheduler.Default);
        }
        finally { SynchronizationContext.SetSynchronizationContext(outer); }
    }

    public override void Continue(Account account, Action work) => scheduler.Queue(work);

    public override void Post(Account account, Action work) => work();

    public override void Dispose()
    {
    }
}
