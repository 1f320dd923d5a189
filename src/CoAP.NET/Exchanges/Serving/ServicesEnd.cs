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
        if (services is not null) { lane.Runtime.Queue(new Disposal(services, lane.Log)); }
    }

    private sealed class Disposal(IAsyncDisposable services, EndpointLog log) : IThreadPoolWorkItem
    {
        public void Execute() => _ = DisposeAsync();

        private async Task DisposeAsync()
        {
            try { await services.DisposeAsync().ConfigureAwait(false); }
            catch (Exception exception) // The edge to user code: the services are the user's, and the request has ended.
            {
                if (log.TryPass(LogEvent.ServicesNotEnded, null, out var held)) { Log.ServicesNotEnded(log.Logger, exception, held); }
            }
        }
    }
}
