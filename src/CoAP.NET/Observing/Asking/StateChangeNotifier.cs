using CoAP.Vocabulary;
using Microsoft.Extensions.Logging;

namespace CoAP.Observing;

/// <summary>Calls the user's handlers when the state of an observation has changed: away from the lane, one call at a time, the newest state only.</summary>
internal sealed class StateChangeNotifier(CoapObservation observation, ILogger logger) : IThreadPoolWorkItem
{
    private int _pending;

    public EventHandler? Handlers { get; set; }

    /// <summary>Any thread; never blocks.</summary>
    public void Changed()
    {
        if (Handlers is null) { return; }
        if (Interlocked.Increment(ref _pending) == 1) { ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false); }
    }

    void IThreadPoolWorkItem.Execute()
    {
        var seen = Volatile.Read(ref _pending);
        while (seen > 0)
        {
            try { Handlers?.Invoke(observation, EventArgs.Empty); }
            catch (Exception exception) // The handler call's edge: it is the user's code.
            {
                Log.StateHandlerFailed(logger, exception);
            }
            seen = Interlocked.Add(ref _pending, -seen);
        }
    }
}
