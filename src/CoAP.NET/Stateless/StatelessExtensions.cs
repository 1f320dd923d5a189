namespace CoAP;

/// <summary>Sends requests without keeping state for them: the token carries the state (RFC 8974).</summary>
public static class StatelessExtensions
{
    /// <summary>
    /// Returns <see langword="true"/> if an endpoint accepts tokens of the given length in requests (RFC 8974, section 2.2). Over datagrams the first call
    /// sends a confirmable GET with such a token. The result is remembered for 30 minutes, or for one minute if there was no response.
    /// </summary>
    /// <param name="sender">The client.</param>
    /// <param name="uri">An absolute URI of the endpoint; its path is ignored.</param>
    /// <param name="length">The length in bytes, 0 to 65,804. Every endpoint accepts up to 8 bytes.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative or above 65,804.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    /// <exception cref="CoapTransportException">The name has no address, the network failed, or the connection ended.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public static ValueTask<bool> SupportsTokenLengthAsync(
        this IStatelessSender sender, string uri, int length, CancellationToken cancellationToken = default) =>
        sender.Stateless.SupportsTokenLengthAsync(uri, length, cancellationToken);

    /// <summary>
    /// Returns <see langword="true"/> if an endpoint accepts tokens of the given length in requests (RFC 8974, section 2.2). Blocks the calling thread.
    /// </summary>
    /// <inheritdoc cref="SupportsTokenLengthAsync" path="/param|/exception"/>
    public static bool SupportsTokenLength(this IStatelessSender sender, string uri, int length, CancellationToken cancellationToken = default) =>
        sender.Stateless.SupportsTokenLength(uri, length, cancellationToken);

    /// <summary>
    /// Sends a request without keeping state for it. The token carries the state, which comes back with the response at
    /// <see cref="MeshArrow.StatelessResponses"/> (RFC 8974, section 3). Before the first request to an endpoint, the client
    /// makes the check of <see cref="SupportsTokenLengthAsync"/>.
    /// </summary>
    /// <remarks>
    /// Completes when the request has been sent. Over datagrams the request is non-confirmable, so the request and the response may get lost. The
    /// request must not have an Observe option, and its body has to fit into a message.
    /// </remarks>
    /// <param name="sender">The client.</param>
    /// <param name="request">The request, with an absolute URI.</param>
    /// <param name="state">The state; at most <see cref="StatelessTokenSettings.MaxStateLength"/> bytes.</param>
    /// <param name="cancellationToken">Ends the wait for the check.</param>
    /// <exception cref="InvalidOperationException">The client's settings have no <see cref="StatelessTokens"/>.</exception>
    /// <exception cref="ArgumentException">The request has no absolute URI, has an Observe option or is too long, or the state is too long.</exception>
    /// <exception cref="NotSupportedException">The endpoint does not accept tokens of this length.</exception>
    /// <exception cref="CoapBusyException">PROBING_RATE allows no further request until the endpoint answers (RFC 7252, section 4.7).</exception>
    /// <exception cref="CoapTransportException">The name has no address, the network failed, or the connection ended.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public static ValueTask SendStatelessAsync(
        this IStatelessSender sender, CoapRequest request, ReadOnlyMemory<byte> state, CancellationToken cancellationToken = default) =>
        sender.Stateless.SendAsync(request, state, cancellationToken);

    /// <summary>Sends a request without keeping state for it. Blocks the calling thread.</summary>
    /// <inheritdoc cref="SendStatelessAsync" path="/remarks|/param|/exception"/>
    public static void SendStateless(
        this IStatelessSender sender, CoapRequest request, ReadOnlyMemory<byte> state, CancellationToken cancellationToken = default) =>
        sender.Stateless.Send(request, state, cancellationToken);
}
