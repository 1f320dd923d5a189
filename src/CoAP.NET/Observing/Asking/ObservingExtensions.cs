using CoAP.Exchanges;

namespace CoAP;

/// <summary>Observes resources (RFC 7641).</summary>
public static class ObservingExtensions
{
    /// <summary>Observes a resource. <c>await foreach</c> over the result registers; leaving the loop cancels (RFC 7641).</summary>
    /// <param name="sender">The client, the channel or another sender. The observation of a channel ends with it; that of a client moves to the next connection.</param>
    /// <param name="uri">The resource: an absolute URI, or for a channel a path.</param>
    /// <param name="cancellationToken">Cancels the observation.</param>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    public static CoapObservation ObserveAsync(this IRequestSender sender, string uri, CancellationToken cancellationToken = default) =>
        sender.ObserveAsync(new CoapRequest(RequestCode.Get, uri), cancellationToken);

    /// <summary>Observes the response to a GET or FETCH. <c>await foreach</c> over the result registers; leaving the loop cancels (RFC 7641; RFC 8132,
    /// section 2.4).</summary>
    /// <param name="sender">The client, the channel or another sender. The observation of a channel ends with it; that of a client moves to the next connection.</param>
    /// <param name="request">The request, without an Observe option.</param>
    /// <param name="cancellationToken">Cancels the observation.</param>
    /// <exception cref="ArgumentException">The request cannot be observed, has an Observe option, or has a URI that names a group.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    public static CoapObservation ObserveAsync(this IRequestSender sender, CoapRequest request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(sender);
        var observation = new CoapObservation(sender, request, cancellationToken);
        // A wrong URI throws here instead of in the enumeration. A relative one is the business of the sender.
        if (request.Uri is { } uri && HasSchemeOfCoap(uri)) { _ = RequestTarget.OfOne(request); }
        return observation;
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

    private static bool HasSchemeOfCoap(string uri) =>
        uri.StartsWith("coap", StringComparison.OrdinalIgnoreCase) && uri.AsSpan().IndexOfAny(':', '/', '?') is > 0 and var end && uri[end] == ':';
}
