using CoAP.Stateless;

namespace CoAP;

/// <summary>Sends requests without keeping state for them: the token carries the state (RFC 8974).</summary>
public static class StatelessExtensions
{
    /// <summary>
    /// Sends a request without keeping state for it. The token carries the state, which comes back with the response at
    /// <see cref="MeshArrow.StatelessResponses"/> (RFC 8974, section 3). Before the first request to an endpoint, the client
    /// makes the check of <see cref="IStatelessSender.SupportsTokenLengthAsync"/>.
    /// </summary>
    /// <remarks>
    /// Completes when the request has been sent. Over datagrams the request is non-confirmable, so the request and the response may get lost. The
    /// request must not have an Observe option, and its body has to fit into a message.
    /// </remarks>
    /// <param name="sender">The client, also through steps.</param>
    /// <param name="request">The request, with an absolute URI.</param>
    /// <param name="state">The state; at most <see cref="StatelessTokenSettings.MaxStateLength"/> bytes.</param>
    /// <param name="cancellationToken">Ends the wait for the check.</param>
    /// <exception cref="InvalidOperationException">The client's settings have no <see cref="StatelessTokens"/>.</exception>
    /// <exception cref="ArgumentException">The request has no absolute URI, has an Observe option or is too long, or the state is too long.</exception>
    /// <exception cref="NotSupportedException">The endpoint does not accept tokens of this length.</exception>
    /// <exception cref="CoapBusyException">PROBING_RATE allows no further request until the endpoint answers (RFC 7252, section 4.7).</exception>
    /// <exception cref="CoapTransportException">The name has no address, the network failed, or the connection ended.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public static async ValueTask SendStatelessAsync(
        this IRequestSender sender, CoapRequest request, ReadOnlyMemory<byte> state, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(sender);
        (await sender.AskAsync(Carrying(request, state), cancellationToken).ConfigureAwait(false)).Dispose();
    }

    /// <summary>Sends a request without keeping state for it. Blocks the calling thread.</summary>
    /// <inheritdoc cref="SendStatelessAsync" path="/remarks|/param|/exception"/>
    public static void SendStateless(
        this IRequestSender sender, CoapRequest request, ReadOnlyMemory<byte> state, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(sender);
        sender.Ask(Carrying(request, state), cancellationToken).Dispose();
    }

    private static CoapRequest Carrying(CoapRequest request, in ReadOnlyMemory<byte> state) =>
        CoapRequest.AskingFor(AnswerShape.Stateless, request, new CarriedState(state));
}
