using CoAP;
using CoAP.Options;

namespace SampleServer;

/// <summary>Notifies the observers of a resource at an interval. Does nothing while there are none.</summary>
internal sealed class Ticks(Resource resource, TimeSpan period, CancellationToken end)
{
    private int _registrations;     // since the notifications started; 0 while there are none

    /// <summary>Starts the notifications if the request registers an observer. Called by the handler of the resource.</summary>
    public void BeginFor(IncomingRequest request)
    {
        if (request.Options.Contains<Observe>() && Interlocked.Increment(ref _registrations) == 1) { _ = RunAsync(); }
    }

    // The server counts an observer after the handler has returned, so the loop ends only if nobody has registered since the last tick.
    private async Task RunAsync()
    {
        using var timer = new PeriodicTimer(period);
        try
        {
            for (var seen = 0; await timer.WaitForNextTickAsync(end); seen = Volatile.Read(ref _registrations))
            {
                if (resource.ObserverCount > 0) { resource.NotifyChanged(); }
                else if (seen > 0 && Interlocked.CompareExchange(ref _registrations, 0, seen) == seen) { return; }
            }
        }
        catch (OperationCanceledException)
        {
            // The server is stopping.
        }
    }
}
