using System.Buffers.Binary;
using CoAP.Vocabulary;

namespace CoAP.Runtimes;

/// <summary>
/// What runs the work of an endpoint: threads and the thread pool, or the scheduler of an in-memory network. It queues work, completes
/// tasks, calls user code, lets callers wait, and makes random numbers.
/// </summary>
/// <remarks>Safe for concurrent use. <see cref="EndpointRuntimes"/> returns the runtime of an endpoint.</remarks>
internal abstract class EndpointRuntime
{
    /// <param name="hasThreads">See <see cref="HasThreads"/>.</param>
    protected EndpointRuntime(bool hasThreads) => HasThreads = hasThreads;

    /// <summary>
    /// Whether threads run the endpoint, several pieces of its work at a time. Otherwise, one piece runs at a time, and a caller that waits
    /// runs the next ones on its own thread.
    /// </summary>
    public bool HasThreads { get; }

    /// <summary>The options of a task that is completed by <see cref="Complete(Action)"/>.</summary>
    public abstract TaskCreationOptions Continuations { get; }

    /// <summary>Queues work. It runs after this call has returned, or on another thread.</summary>
    public abstract void Queue(Action work);

    /// <summary>Queues work like <see cref="Queue(Action)"/>.</summary>
    public abstract void Queue(IThreadPoolWorkItem work);

    /// <summary>Starts threads that run the same code. Without threads, queues the code as often.</summary>
    /// <param name="count">The number of threads.</param>
    /// <param name="name">The name of the threads.</param>
    /// <param name="run">The code.</param>
    public abstract void StartThreads(int count, string name, Action run);

    /// <summary>Completes a task of <see cref="Continuations"/>. Who awaits the task never continues within this call.</summary>
    /// <param name="complete">Sets the outcome of the task.</param>
    public abstract void Complete(Action complete);

    /// <summary>Completes a task like <see cref="Complete(Action)"/>.</summary>
    /// <param name="complete">Sets the outcome of the task.</param>
    /// <param name="state">The argument.</param>
    public abstract void Complete(Action<object?> complete, object? state);

    /// <summary>Starts user code that a lane does not wait for. Its exceptions are ignored.</summary>
    public abstract void RunOffLane(Action code);

    /// <summary>Cancels a source whose callbacks are user code.</summary>
    public abstract void CancelOffLane(CancellationTokenSource source);

    /// <summary>Cancels a source whose callbacks are user code. Their exceptions are logged.</summary>
    public abstract Task CancelLoggedAsync(CancellationTokenSource source, EndpointLog log);

    /// <summary>Calls user code. Without threads, it continues as work of the endpoint after an await, and so does its caller.</summary>
    /// <param name="code">The code.</param>
    /// <param name="state">The argument.</param>
    public ValueTask<T> Call<T, TState>(Func<TState, ValueTask<T>> code, TState state) =>
        // Not virtual: a call of a virtual generic method looks up its target each time, and requests call this one.
        HasThreads ? code(state) : CallInContext(code, state);

    /// <summary>
    /// Lets the calling code, which is about to block until a condition holds, run the endpoint until then. Returns at once if threads run
    /// the endpoint: the caller waits for them.
    /// </summary>
    /// <param name="isDone">The condition.</param>
    /// <param name="state">The argument of the condition.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public abstract void HelpUntil(Func<object?, bool> isDone, object? state, CancellationToken cancellationToken = default);

    /// <summary>
    /// Lets the calling code, which is about to block until a task has completed, run the endpoint like <see cref="HelpUntil"/>. Another
    /// thread may complete the task.
    /// </summary>
    public abstract void HelpUntilCompleted(Task task);

    /// <summary>
    /// Lets the calling code, which is about to await a task, run the endpoint until the task has completed. Returns at once if threads run
    /// the endpoint, or if the calling code is work of the endpoint.
    /// </summary>
    public abstract void HelpBeforeAwait(Task task);

    /// <summary>
    /// Reports that the calling code waits for the endpoint. Returns <see langword="false"/> if nobody wants to know, and then not the end
    /// either.
    /// </summary>
    public abstract bool BeginWait();

    /// <summary>Reports the end of a wait that <see cref="BeginWait"/> has reported.</summary>
    public abstract void EndWait();

    /// <summary>Reports that exchanges have begun or ended.</summary>
    /// <param name="change">The change of their number.</param>
    public abstract void OnExchanges(long change);

    /// <summary>Fills a buffer with random bytes.</summary>
    public abstract void FillRandom(Span<byte> bytes);

    /// <summary>Returns a random number.</summary>
    public ulong RandomNumber()
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        FillRandom(bytes);
        return BinaryPrimitives.ReadUInt64LittleEndian(bytes);
    }

    /// <summary>Returns a new source of random numbers that are not secret.</summary>
    public abstract Random NewRandom();

    /// <summary>Returns a random number from 0 to 1.</summary>
    public abstract double NextDouble();

    /// <summary>Hands the scheduler, if there is one, to a part of the endpoint that otherwise has threads of its own.</summary>
    public abstract void ShareScheduler(Action<NetworkScheduler> part);

    /// <summary>Implements <see cref="Call{T, TState}"/> for a runtime without threads.</summary>
    protected abstract ValueTask<T> CallInContext<T, TState>(Func<TState, ValueTask<T>> code, TState state);
}
