using System.Runtime.CompilerServices;
using CoAP.Exchanges;
using CoAP.Groups;

namespace CoAP;

/// <summary>Sends requests to all members of a group (RFC 7252, section 8).</summary>
public static class MulticastExtensions
{
    /// <summary>Sends a non-confirmable GET to all members of a group, and returns their responses as they arrive.</summary>
    /// <param name="sender">The client.</param>
    /// <param name="uri">The URI of the group, such as "coap://224.0.1.187/.well-known/core" or "coap://[ff02::fd%25eth0]/.well-known/core".</param>
    /// <param name="listenFor">The time to wait for responses.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <inheritdoc cref="MulticastAsync(IMulticastSender, CoapRequest, MulticastRequestSettings?, CancellationToken)" path="/exception|/remarks"/>
    public static IAsyncEnumerable<CoapResponse> MulticastAsync(
        this IMulticastSender sender, string uri, TimeSpan listenFor, CancellationToken cancellationToken = default) =>
        sender.MulticastAsync(NonConfirmableGet(uri), sender.MulticastDefaults with { ListenFor = listenFor }, cancellationToken);

    /// <summary>Sends a non-confirmable request to all members of a group, and returns their responses as they arrive.</summary>
    /// <param name="sender">The client.</param>
    /// <param name="request">The request; <see cref="CoapRequest.IsConfirmable"/> has to be <see langword="false"/>.</param>
    /// <param name="settings">How the request is sent and how long to wait for responses. Default: the client's setting.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <remarks>
    /// The request is sent when the enumeration begins, once for each enumeration. Any host that knows the token can respond, and a member
    /// may respond more than once; <see cref="CoapResponse.Remote"/> is the sender. A group without responses is not an error. A GET or
    /// FETCH may have ETag options: a member whose response has one of them answers 2.03 (RFC 10020, section 3.2.2). Two members may use
    /// the same ETag for different responses; then ask the one in doubt again, without it.
    /// </remarks>
    /// <exception cref="ArgumentException">The URI does not name a group, or the request is confirmable or does not fit into a message.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    /// <exception cref="CoapTransportException">No interface could send the request, or the client was disposed.</exception>
    /// <exception cref="CoapBusyException">Too many multicast requests are waiting for responses.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public static IAsyncEnumerable<CoapResponse> MulticastAsync(
        this IMulticastSender sender, CoapRequest request, MulticastRequestSettings? settings = null, CancellationToken cancellationToken = default) =>
        ReadAsync(sender, GroupTarget(request), settings ?? sender.MulticastDefaults, cancellationToken);

    /// <summary>Sends a non-confirmable GET to all members of a group. Blocks the calling thread between the responses.</summary>
    /// <inheritdoc cref="MulticastAsync(IMulticastSender, string, TimeSpan, CancellationToken)" path="/param"/>
    /// <inheritdoc cref="MulticastAsync(IMulticastSender, CoapRequest, MulticastRequestSettings?, CancellationToken)" path="/exception|/remarks"/>
    public static IEnumerable<CoapResponse> Multicast(
        this IMulticastSender sender, string uri, TimeSpan listenFor, CancellationToken cancellationToken = default) =>
        sender.Multicast(NonConfirmableGet(uri), sender.MulticastDefaults with { ListenFor = listenFor }, cancellationToken);

    /// <summary>Sends a non-confirmable request to all members of a group. Blocks the calling thread between the responses.</summary>
    /// <inheritdoc cref="MulticastAsync(IMulticastSender, CoapRequest, MulticastRequestSettings?, CancellationToken)" path="/param|/exception|/remarks"/>
    public static IEnumerable<CoapResponse> Multicast(
        this IMulticastSender sender, CoapRequest request, MulticastRequestSettings? settings = null, CancellationToken cancellationToken = default) =>
        Read(sender, GroupTarget(request), settings ?? sender.MulticastDefaults, cancellationToken);

    private static CoapRequest NonConfirmableGet(string uri) => new(RequestCode.Get, uri) { IsConfirmable = false };

    private static RequestTarget GroupTarget(CoapRequest request)
    {
        var target = RequestTarget.Of(request);
        if (request.IsConfirmable)
        {
            throw new ArgumentException("A multicast request must be non-confirmable. Set IsConfirmable to false (RFC 7252, section 8.1).", nameof(request));
        }
        if (target.Scheme != CoapScheme.Coap)
        {
            throw new ArgumentException($"The URI of a group must have the scheme 'coap', not '{target.Scheme.GetName()}': DTLS and connections have only one peer (RFC 7252, section 8).", nameof(request));
        }
        GroupPort.ThrowIfOfDtls(target.Port, nameof(request));
        if (target.IsLiteral && !target.IsGroup)
        {
            throw new ArgumentException($"{target.Host} is not a multicast address. Use SendAsync or Send.", nameof(request));
        }
        return target;
    }

    private static async IAsyncEnumerable<CoapResponse> ReadAsync(
        IMulticastSender sender, RequestTarget target, MulticastRequestSettings settings, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var places = await sender.Router.Addresses.ResolveAsync(target, cancellationToken).ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
        using var sent = Begin(sender, target, places, settings, parked: false);
        while (await sent.Answers.TakeAsync(cancellationToken).ConfigureAwait(false) is { } response) { yield return response; }
    }

    private static IEnumerable<CoapResponse> Read(
        IMulticastSender sender, RequestTarget target, MulticastRequestSettings settings, CancellationToken cancellationToken)
    {
        var places = sender.Router.Addresses.Resolve(target, cancellationToken);
        cancellationToken.ThrowIfCancellationRequested();
        using var sent = Begin(sender, target, places, settings, parked: true);
        while (sent.Answers.Take(cancellationToken) is { } response) { yield return response; }
    }

    private static GroupRequest Begin(IMulticastSender sender, in RequestTarget target, in ServerAddresses places, MulticastRequestSettings settings, bool parked)
    {
        if (places.IsInMemory) { return sender.BeginMulticast(places[0].Peer, target.RequestToGroup(), settings, parked); }
        for (var index = 0; index < places.Count; index++)
        {
            var (group, address) = places[index];
            if (group.IsMulticast) { return sender.BeginMulticast(group, target.RequestTo(address), settings, parked); }
        }
        throw new ArgumentException($"'{target.Host}' is not a group, because none of its addresses is a multicast address. Use SendAsync or Send.");
    }
}
