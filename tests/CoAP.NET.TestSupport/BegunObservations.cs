using CoAP.Exchanges;
using CoAP.Observing;

namespace CoAP.TestSupport;

/// <summary>Observations that have begun without a reader, which would wait for the first notification.</summary>
internal static class BegunObservations
{
    /// <summary>Begins to observe, as the first step of reading does.</summary>
    public static CoapObservation BeginObserving(this IChannel channel, CoapRequest request)
    {
        var (handle, observation) = ((ChannelHandle)channel, channel.ObserveAsync(request));
        var context = ((ObservationAnswers)handle.Lane.Streams(handle, observation.Request)).Context;
        context.Connector.Start(context, CancellationToken.None);
        return observation;
    }
}
