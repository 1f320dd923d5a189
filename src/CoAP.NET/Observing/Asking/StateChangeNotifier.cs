using CoAP.Runtimes;
using CoAP.Vocabulary;

namespace CoAP.Observing;

/// <summary>Raises <see cref="CoapObservation.StateChanged"/> on the thread pool, one call at a time. Skips states that a newer one has replaced.</summary>
/// <param name="observation">The observation, as the sender of the events.</param>
internal sealed class StateChangeNotifier(object observation)
{
    private int _pending;

    public EventHandler? Handlers { get; set; }

    /// <summary>Calls the handlers. Default: the thread pool.</summary>
    public EndpointRuntime Runtime { get; set; } = EndpointRuntime.Threads;

    /// <summary>The log of the client that serves the observation; <see langword="null"/> if a sender of the user's does.</summary>
    public EndpointLog? Log { get; set; }

    /// <summary>Schedules a call of the handlers. Called from any thread; never blocks.</summary>
    public void Changed()
    {
        if (Handlers is null) { return; }
        if (Interlocked.Increment(ref _pending) == 1) { Runtime.Queue(Execute); }
    }

    private void Execute()
    {
        var seen = Volatile.Read(ref _pending);
        while (seen > 0)
        {
            try { Handlers?.Invoke(observation, EventArgs.Empty); }
            catch (Exception exception) // The edge to user code: a failing handler ends neither the observation nor the process.
            {
                if (Log?.TryPass(LogEvent.StateHandlerFailed, null, out var held) == true) { Vocabulary.Log.StateHandlerFailed(Log.Logger, exception, held); }
            }
            seen = Interlocked.Add(ref _pending, -seen);
        }
    }
}
