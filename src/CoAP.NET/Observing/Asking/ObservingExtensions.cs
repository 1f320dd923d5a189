using CoAP.Exchanges;
using CoAP.Observing;

namespace CoAP;

/// <summary>Observes resources (RFC 7641).</summary>
public static class ObservingExtensions
{
    /// <summary>Observes a resource. <c>await foreach</c> over the result registers; leaving the loop cancels (RFC 7641).</summary>
    /// <param name="sender">The client or channel. The observation of a channel ends with it; that of a client moves to the next connection.</param>
    /// <param name="uri">The resource: an absolute URI, or for a channel a path.</param>
    /// <param name="cancellationToken">Cancels the observation.</param>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    /// <exception cref="NotSupportedException">The sender is of a foreign type, which cannot observe.</exception>
    public static CoapObservation ObserveAsync(this IRequestSender sender, string uri, CancellationToken cancellationToken = default) =>
        sender.ObserveAsync(new CoapRequest(RequestCode.Get, uri), cancellationToken);

    /// <summary>Observes the response to a GET or FETCH. <c>await foreach</c> over the result registers; leaving the loop cancels (RFC 7641; RFC 8132,
    /// section 2.4).</summary>
    /// <param name="sender">The client or channel. The observation of a channel ends with it; that of a client moves to the next connection.</param>
    /// <param name="request">The request, without an Observe option.</param>
    /// <param name="cancellationToken">Cancels the observation.</param>
    /// <exception cref="ArgumentException">A client's request has no absolute URI, or the request cannot be observed or has an Observe option.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    /// <exception cref="NotSupportedException">The sender is of a foreign type, which cannot observe.</exception>
    public static CoapObservation ObserveAsync(this IRequestSender sender, CoapRequest request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(sender);
        return sender switch
        {
            IObservingClient client => client.Observations.Observe(request, token: null, cancellationToken),
            ChannelHandle channel => ChannelObservationConnector.Observe(channel, request, cancellationToken),
            _ => throw new NotSupportedException($"{sender.GetType().Name} cannot observe: it is neither a client nor a channel of this library."),
        };
    }

    /// <summary>Observes a resource. <c>foreach</c> over the result registers and blocks for each notification; leaving the loop cancels (RFC 7641).</summary>
    /// <inheritdoc cref="ObserveAsync(IRequestSender, string, CancellationToken)" path="/param|/exception"/>
    public static BlockingObservation Observe(this IRequestSender sender, string uri, CancellationToken cancellationToken = default) =>
        new(sender.ObserveAsync(uri, cancellationToken));

    /// <summary>Observes the response to a GET or FETCH. <c>foreach</c> over the result registers and blocks for each notification; leaving the loop
    /// cancels (RFC 7641; RFC 8132, section 2.4).</summary>
    /// <inheritdoc cref="ObserveAsync(IRequestSender, CoapRequest, CancellationToken)" path="/param|/exception"/>
    public static BlockingObservation Observe(this IRequestSender sender, CoapRequest request, CancellationToken cancellationToken = default) =>
        new(sender.ObserveAsync(request, cancellationToken));

    /// <summary>
    /// Returns the observations in <see cref="ClientObservationSettings.Store"/>, which an earlier run of the client left there. Reading one registers again
    /// with the same token. An observation that is not read stays in the store.
    /// </summary>
    /// <param name="client">The client.</param>
    /// <param name="cancellationToken">Cancels the observations.</param>
    public static IReadOnlyList<CoapObservation> RestoreObservations(this IObservingClient client, CancellationToken cancellationToken = default) =>
        client.Observations.Restore(cancellationToken);
}
