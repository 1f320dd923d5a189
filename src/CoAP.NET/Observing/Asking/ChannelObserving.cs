using CoAP.Exchanges;
using CoAP.Observing;

namespace CoAP;

/// <summary>Observes resources of a peer over its channel (RFC 7641).</summary>
public static class ChannelObserving
{
    /// <summary>Observes what a GET or FETCH asks the peer for. <c>await foreach</c> over the result registers; leaving the loop cancels.</summary>
    /// <param name="channel">The channel of the peer.</param>
    /// <param name="request">A GET or FETCH without an Observe option.</param>
    /// <param name="cancellationToken">Ends the observation.</param>
    /// <exception cref="ArgumentException">The request cannot be observed, or has an Observe option of its own.</exception>
    /// <remarks>Over a connection the observation ends with the channel.</remarks>
    public static CoapObservation ObserveAsync(this IChannel channel, CoapRequest request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(channel);
        if (channel is not ChannelHandle handle) { throw new ArgumentException($"A {channel.GetType().Name} cannot observe; channels of a client or a server can.", nameof(channel)); }
        return new CoapObservation(
            CoapObservation.Checked(request), new ChannelObservationHome(handle, request), handle.Lane.Features.Get<ObservationSettings>(), handle.Lane.Time, handle.Lane.Logger, null, null, cancellationToken);
    }

    /// <summary>Observes what a GET or FETCH asks the peer for. <c>foreach</c> over the result registers and blocks for each notification.</summary>
    /// <inheritdoc cref="ObserveAsync(IChannel, CoapRequest, CancellationToken)" path="/param"/>
    /// <inheritdoc cref="ObserveAsync(IChannel, CoapRequest, CancellationToken)" path="/exception"/>
    public static BlockingObservation Observe(this IChannel channel, CoapRequest request, CancellationToken cancellationToken = default) =>
        new(channel.ObserveAsync(request, cancellationToken));
}
