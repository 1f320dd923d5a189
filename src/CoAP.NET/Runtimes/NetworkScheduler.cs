namespace CoAP;

/// <summary>
/// Runs the work of the endpoints on an <see cref="InMemoryNetwork"/>, which then have no threads. One piece of work runs at a time, so a test can repeat a
/// run exactly. The package CoAP.NET.Testing has an implementation with simulated time.
/// </summary>
/// <remarks>All methods may be called from any thread.</remarks>
public abstract class NetworkScheduler
{
    /// <summary>The context that handlers run in. What they await continues in it.</summary>
    public abstract SynchronizationContext Context { get; }

    /// <summary>Whether the calling thread is running work of this scheduler.</summary>
    public abstract bool IsRunning { get; }

    /// <summary>
    /// Queues a piece of work of an endpoint. It must run after this call has returned, after all work that was queued earlier, and without a
    /// <see cref="SynchronizationContext"/>.
    /// </summary>
    /// <param name="work">The work. It does not block, unless it calls a handler that does.</param>
    public abstract void Queue(Action work);

    /// <summary>Runs work and moves the clock until a condition holds. A blocking call of an endpoint calls it instead of waiting.</summary>
    /// <param name="isDone">The condition. It is checked after each piece of work.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    /// <exception cref="TimeoutException">Nothing is left to do, and the condition does not hold.</exception>
    public abstract void RunUntil(Func<bool> isDone, CancellationToken cancellationToken = default);

    /// <summary>Fills a buffer with random bytes. Endpoints take message IDs, tokens, keys and random times from it.</summary>
    public abstract void Fill(Span<byte> bytes);

    /// <summary>Called when exchanges begin or end: requests of an endpoint without a response, and received requests without an answer.</summary>
    /// <param name="change">The change of their number.</param>
    public virtual void OnExchanges(long change) { }

    /// <summary>Called when a handler, a step or an authorizer did not end at once, and after it has ended.</summary>
    /// <param name="isOpen">Whether it has not ended.</param>
    public virtual void OnHandler(bool isOpen) { }

    /// <summary>Called when code in <see cref="Context"/> begins to wait for an endpoint, and after the wait has ended.</summary>
    /// <param name="isOpen">Whether the wait has not ended.</param>
    public virtual void OnWait(bool isOpen) { }
}
