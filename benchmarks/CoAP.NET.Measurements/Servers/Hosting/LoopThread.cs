using System.Collections.Concurrent;

namespace CoAP.Measurements.Servers.Hosting;

/// <summary>A thread on which everything goes on that was begun there.</summary>
internal sealed class LoopThread : SynchronizationContext
{
    private readonly BlockingCollection<(SendOrPostCallback Work, object? State)> _work = [];

    public LoopThread() => new Thread(Run) { IsBackground = true, Name = "loop" }.Start();

    public void Begin(Func<Task> work) => Post(static work => _ = ((Func<Task>)work!)(), work);

    public override void Post(SendOrPostCallback d, object? state) => _work.Add((d, state));

    private void Run()
    {
        SetSynchronizationContext(this);
        foreach (var (work, state) in _work.GetConsumingEnumerable()) { work(state); }
    }
}
