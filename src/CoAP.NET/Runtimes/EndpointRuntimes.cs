namespace CoAP.Runtimes;

/// <summary>The runtimes of endpoints.</summary>
internal static class EndpointRuntimes
{
    extension(EndpointRuntime)
    {
        /// <summary>The runtime of all endpoints without a scheduler.</summary>
        public static EndpointRuntime Threads => ThreadedRuntime.Instance;

        /// <summary>Returns the runtime of endpoints on a network.</summary>
        /// <param name="scheduler">The scheduler of the network; <see langword="null"/> if the network has none.</param>
        public static EndpointRuntime Of(NetworkScheduler? scheduler) =>
            scheduler is null ? ThreadedRuntime.Instance : new ScheduledRuntime(scheduler);
    }
}
