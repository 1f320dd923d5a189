using CoAP.Vocabulary;

namespace CoAP.Exchanges;

/// <summary>Disposes of services that requests leave behind: no handler has run, or its answer does not wait for them.</summary>
internal static class ServicesEnd
{
    /// <summary>Disposes of services on another thread, because user code must not block the lane. Exceptions are logged.</summary>
    /// <param name="services">The services; <see langword="null"/> for none.</param>
    /// <param name="lane">The lane of the request.</param>
    public static void Later(IAsyncDisposable? services, ExchangeLane lane)
    {
        if (services is null) { return; }
        if (lane.Scheduler is { } scheduler) { scheduler.Queue(() => _ = DisposeAsync(services, lane.Log)); }
        else { ThreadPool.UnsafeQueueUserWorkItem(static item => _ = DisposeAsync(item.services, item.lane.Log), (services, lane), preferLocal: false); }
    }

    private static async Task DisposeAsync(IAsyncDisposable services, EndpointLog log)
    {
        try { await services.DisposeAsync().ConfigureAwait(false); }
        catch (Exception exception) // The edge to user code: the services are the user's, and the request has ended.
        {
            if (log.TryPass(LogEvent.ServicesNotEnded, null, out var held)) { Log.ServicesNotEnded(log.Logger, exception, held); }
        }
    }
}
