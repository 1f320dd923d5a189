using CoAP;
using CoAP.Options;

namespace SampleServer;

/// <summary>Notifies the observers of a resource at an interval. Does nothing while there are none.</summary>
internal sealed class Ticks(Resource resource, TimeSpan period, CancellationToken end)
{
    private int _isRunning;

    /// <summary>Begins to notify if a request registers an observer. Called by the handler of the resource.</summary>
    public void BeginFor(IncomingRequest request)
    {
        if (request.Options.Contains<Observe>()) { Begin(); }
    }

    private void Begin()
    {
        if (Interlocked.Exchange(ref _isRunning, 1) == 0) { _ = RunAsync(); }
    }

    private async Task RunAsync()
    {
        using var timer = new PeriodicTimer(period);
        try
        {
            // An observer is counted after its handler has returned, so the first tick comes before the first look.
            while (await timer.WaitForNextTickAsync(end) && resource.ObserverCount > 0) { resource.NotifyChanged(); }
        }
        catch (OperationCanceledException)
        {
            return;     // the server is stopping
        }
        Volatile.Write(ref _isRunning, 0);
        if (resource.ObserverCount > 0) { Begin(); }    // one that came between the look and the end
    }
}
