using CoAP.Runtimes;
using CoAP.Vocabulary;

namespace CoAP.Observing;

/// <summary>Raises <see cref="CoapObservation.StateChanged"/> on the thread pool, one call at a time. Skips states that a newer one has replaced.</summary>
internal sealed class StateChangeNotifier(CoapObservation observation, EndpointLog log, EndpointRuntime runtime)
{
    private int _pending;

    public EventHandler? Handlers { get; set; }

    /// <summary>Schedules a call of the handlers. Called from any thread; never blocks.</summary>
    public void Changed()
    {
        if (Handlers is null) { return; }
        if (Interlocked.Increment(ref _pending) == 1) { runtime.Queue(Execute); }
    }

    private void Execute()
    {
        var seen = Volatile.Read(ref _pending);
        while (seen > 0)
        {
            try { Handlers?.Invoke(observation, EventArgs.Empty); }
            catch (Exception exception) // The edge to user code: a failing handler does not end the observation.
            {
                if (log.TryPass(LogEvent.StateHandlerFailed, null, out var held)) { Log.StateHandlerFailed(log.Logger, exception, held); }
            }
            seen = Interlocked.Add(ref _pending, -seen);
        }
    }
}
