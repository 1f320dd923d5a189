using CoAP.Exchanges;

namespace CoAP;

/// <content>Requests that no response is wanted to.</content>
public sealed partial class CoapClient
{
    /// <summary>
    /// Sends a request that no response is wanted to (RFC 7967), and waits until it is on its way: acknowledged by the server where it is
    /// confirmable and goes as a datagram, else just sent.
    /// </summary>
    /// <remarks>The request gets a No-Response option, unless it has one. Later responses of a server that does not know it are rejected.</remarks>
    /// <exception cref="ArgumentException">As with <see cref="SendAsync"/>, or the request has a No-Response option that wants some responses.</exception>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public ValueTask<Delivery> SendAndForgetAsync(CoapRequest request, CancellationToken cancellationToken = default) =>
        RouteAsync(
            RequestTarget.OfOne(request), static (channel, one, token) => channel.SendAndForgetAsync(one, token), cancellationToken);

    /// <summary>The same, blocking the calling thread.</summary>
    /// <inheritdoc cref="SendAndForgetAsync" path="/remarks|/exception"/>
    public Delivery SendAndForget(CoapRequest request, CancellationToken cancellationToken = default) =>
        Route(RequestTarget.OfOne(request), static (channel, one, token) => channel.SendAndForget(one, token), cancellationToken);
}
