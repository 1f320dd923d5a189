using System.Security.Cryptography;
using CoAP.Vocabulary;

namespace CoAP.Runtimes;

/// <summary>Runs endpoints on threads and the thread pool. Callers block or await while they do the work.</summary>
internal sealed class ThreadedRuntime : EndpointRuntime
{
    private ThreadedRuntime()
        : base(hasThreads: true)
    {
    }

    /// <summary>The only instance: the runtime has no state.</summary>
    public static ThreadedRuntime Instance { get; } = new();

    public override TaskCreationOptions Continuations => TaskCreationOptions.RunContinuationsAsynchronously;

    public override void Queue(Action work) => ThreadPool.UnsafeQueueUserWorkItem(static work => work(), work, preferLocal: false);

    public override void Queue(IThreadPoolWorkItem work) => ThreadPool.UnsafeQueueUserWorkItem(work, preferLocal: false);

    // Starting a thread takes until the system runs it. The caller waits for one of them only, and each starts the next.
    public override void StartThreads(int count, string name, Action run)
    {
        try { new Thread(() => RunAfter(count - 1, name, run)) { IsBackground = true, Name = name }.UnsafeStart(); }
        catch (Exception exception) when (exception is OutOfMemoryException or ThreadStartException)
        {
            // The system has no more threads. Threads of the pool take their place.
            for (var i = 0; i < count; i++) { Queue(run); }
        }
    }

    public override void Complete(Action complete) => complete();

    public override void Complete(Action<object?> complete, object? state) => complete(state);

    public override void RunOffLane(Action code) => _ = Task.Run(code);

    public override void CancelOffLane(CancellationTokenSource source) => _ = source.CancelAsync();

    public override Task CancelLoggedAsync(CancellationTokenSource source, EndpointLog log) => source.CancelLoggedAsync(log);

    public override void HelpUntil(Func<object?, bool> isDone, object? state, CancellationToken cancellationToken = default)
    {
    }

    public override void HelpUntilCompleted(Task task)
    {
    }

    public override void HelpBeforeAwait(Task task)
    {
    }

    public override bool BeginWait() => false;

    public override void EndWait()
    {
    }

    public override void OnExchanges(long change)
    {
    }

    public override void FillRandom(Span<byte> bytes) => RandomNumberGenerator.Fill(bytes);

    public override Random NewRandom() => new();

    public override double NextDouble() => Random.Shared.NextDouble();

    public override void ShareScheduler(Action<NetworkScheduler> part)
    {
    }

    protected override ValueTask<T> CallInContext<T, TState>(Func<TState, ValueTask<T>> code, TState state) => code(state);

    private void RunAfter(int others, string name, Action run)
    {
        if (others > 0) { StartThreads(others, name, run); }
        run();
    }
}
