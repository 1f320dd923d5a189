using CoAP.Runtimes;

namespace CoAP.Exchanges;

/// <summary>A sender that knows what runs the code of users: threads, or the scheduler of a simulated network.</summary>
internal interface IRuntimeSender : IRequestSender
{
    EndpointRuntime Runtime { get; }

    /// <summary>Returns the runtime of a sender.</summary>
    static EndpointRuntime RuntimeOf(IRequestSender sender) => (sender as IRuntimeSender)?.Runtime ?? EndpointRuntime.Threads;
}
