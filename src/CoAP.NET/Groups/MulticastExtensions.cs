using System.Runtime.CompilerServices;
using CoAP.Groups;

namespace CoAP;

/// <summary>Sends requests to all members of a group (RFC 7252, section 8).</summary>
public static class MulticastExtensions
{
    /// <summary>Sends a non-confirmable GET to all members of a group, and returns their responses as they arrive.</summary>
    /// <param name="sender">The client, also through steps.</param>
    /// <param name="uri">The URI of the group, such as "coap://224.0.1.187/.well-known/core" or "coap://[ff02::fd%25eth0]/.well-known/core".</param>
    /// <param name="listenFor">The time to wait for responses.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <inheritdoc cref="MulticastAsync(IRequestSender, CoapRequest, MulticastRequestSettings?, CancellationToken)" path="/exception|/remarks"/>
    public static IAsyncEnumerable<CoapResponse> MulticastAsync(
        this IRequestSender sender, string uri, TimeSpan listenFor, CancellationToken cancellationToken = default) =>
        ReadAsync(sender, AskingGroup(NonConfirmableGet(uri), new(Settings: null, listenFor)), cancellationToken);

    /// <summary>Sends a non-confirmable request to all members of a group, and returns their responses as they arrive.</summary>
    /// <param name="sender">The client, also through steps.</param>
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
        this IRequestSender sender, CoapRequest request, MulticastRequestSettings? settings = null, CancellationToken cancellationToken = default) =>
        ReadAsync(sender, AskingGroup(request, new(settings)), cancellationToken);

    /// <summary>Sends a non-confirmable GET to all members of a group. Blocks the calling thread between the responses.</summary>
    /// <inheritdoc cref="MulticastAsync(IRequestSender, string, TimeSpan, CancellationToken)" path="/param"/>
    /// <inheritdoc cref="MulticastAsync(IRequestSender, CoapRequest, MulticastRequestSettings?, CancellationToken)" path="/exception|/remarks"/>
    public static IEnumerable<CoapResponse> Multicast(
        this IRequestSender sender, string uri, TimeSpan listenFor, CancellationToken cancellationToken = default) =>
        Read(sender, AskingGroup(NonConfirmableGet(uri), new(Settings: null, listenFor)), cancellationToken);

    /// <summary>Sends a non-confirmable request to all members of a group. Blocks the calling thread between the responses.</summary>
    /// <inheritdoc cref="MulticastAsync(IRequestSender, CoapRequest, MulticastRequestSettings?, CancellationToken)" path="/param|/exception|/remarks"/>
    public static IEnumerable<CoapResponse> Multicast(
        this IRequestSender sender, CoapRequest request, MulticastRequestSettings? settings = null, CancellationToken cancellationToken = default) =>
        Read(sender, AskingGroup(request, new(settings)), cancellationToken);

    private static CoapRequest NonConfirmableGet(string uri) => new(RequestCode.Get, uri) { IsConfirmable = false };

    private static CoapRequest AskingGroup(CoapRequest request, GroupPlan plan)
    {
        if (request is { Uri: not null }) { _ = GroupTarget.Of(request); }      // throws here instead of in the enumeration
        return CoapRequest.AskingFor(AnswerShape.Group, request, plan);
    }

    private static async IAsyncEnumerable<CoapResponse> ReadAsync(
        IRequestSender sender, CoapRequest request, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        using var answers = await sender.AskAsync(request, cancellationToken).ConfigureAwait(false);
        while (await answers.NextAsync(cancellationToken).ConfigureAwait(false) is { } answer) { yield return answer; }
    }

    private static IEnumerable<CoapResponse> Read(IRequestSender sender, CoapRequest request, CancellationToken cancellationToken)
    {
        using var answers = sender.Ask(request, cancellationToken);
        while (answers.Next(cancellationToken) is { } answer) { yield return answer; }
    }
}
