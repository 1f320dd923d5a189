using System.Runtime.CompilerServices;
using CoAP.Discovery;
using CoAP.Exchanges;
using CoAP.Groups;
using CoAP.Options;

namespace CoAP;

/// <summary>Lists the resources of endpoints and groups (RFC 6690).</summary>
public static class DiscoveryExtensions
{
    /// <summary>Asks an endpoint, or all members of a group, for the links to their resources (RFC 6690, section 4).</summary>
    /// <param name="sender">The client, also through steps.</param>
    /// <param name="endpoint">An endpoint such as "coap://device.example", or a group such as "coap://224.0.1.187" (RFC 6690, section 1.2.1).</param>
    /// <param name="filter">A filter such as "rt=temperature*" (RFC 6690, section 4.1). Default: all links.</param>
    /// <param name="settings">How a group is asked and how long to wait for its responses. Default: the client's setting.</param>
    /// <param name="cancellationToken">Ends the wait, and the reading of links.</param>
    /// <remarks>
    /// The links of a group arrive as its members respond, until the listening time ends. A member whose answer is too large for one
    /// message is asked for the rest; its links come afterwards, at most one more listening time later, or are skipped, which the log of
    /// the client tells. Responses of members that are not links are ignored. With a filter, members without a matching resource stay
    /// silent. Links are read while you enumerate them. A wrong link is skipped; a <see cref="FormatException"/> after the last link of the
    /// endpoint says what was wrong. Wrong links of the members of a group are ignored.
    /// </remarks>
    /// <exception cref="ArgumentException">The filter is not of the form "name=value".</exception>
    /// <exception cref="CoapResponseException">The endpoint responded with an error.</exception>
    /// <exception cref="CoapTransferException">
    /// The response has more links, wrong ones included, than <see cref="CoapClientSettings.MaxDiscoveredLinks"/>.
    /// </exception>
    /// <exception cref="FormatException">The response of the endpoint has wrong links, or the URI is malformed.</exception>
    /// <inheritdoc cref="IRequestSender.SendAsync" path="/exception"/>
    public static IAsyncEnumerable<DiscoveredLink> DiscoverAsync(
        this IRequestSender sender, string endpoint, string? filter = null, MulticastRequestSettings? settings = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(sender);
        return ReadAsync(sender, endpoint, Discovery(endpoint, filter, settings), settings, cancellationToken);
    }

    /// <summary>Asks an endpoint, or all members of a group, for the links to their resources. Blocks the calling thread between the responses.</summary>
    /// <inheritdoc cref="DiscoverAsync" path="/param|/remarks|/exception"/>
    public static IEnumerable<DiscoveredLink> Discover(
        this IRequestSender sender, string endpoint, string? filter = null, MulticastRequestSettings? settings = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(sender);
        return Read(sender, endpoint, Discovery(endpoint, filter, settings), settings, cancellationToken);
    }

    private static async IAsyncEnumerable<DiscoveredLink> ReadAsync(
        IRequestSender sender, string endpoint, CoapRequest request, MulticastRequestSettings? settings,
        [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        using var discovery = new EndpointDiscovery(sender, endpoint, request, settings, cancellationToken);
        using var answers = await sender.AskAsync(request, cancellationToken).ConfigureAwait(false);
        while (await answers.NextAsync(cancellationToken).ConfigureAwait(false) is { } answer)
        {
            foreach (var link in discovery.LinksSoFar(answer)) { yield return link; }
        }
        while (await discovery.Rests.TakeAsync().ConfigureAwait(false) is { } whole)
        {
            foreach (var link in discovery.LinksOfMember(whole)) { yield return link; }
        }
    }

    private static IEnumerable<DiscoveredLink> Read(
        IRequestSender sender, string endpoint, CoapRequest request, MulticastRequestSettings? settings,
        CancellationToken cancellationToken)
    {
        using var discovery = new EndpointDiscovery(sender, endpoint, request, settings, cancellationToken);
        using var answers = sender.Ask(request, cancellationToken);
        while (answers.Next(cancellationToken) is { } answer)
        {
            foreach (var link in discovery.LinksSoFar(answer)) { yield return link; }
        }
        while (discovery.Rests.Take() is { } whole)
        {
            foreach (var link in discovery.LinksOfMember(whole)) { yield return link; }
        }
    }

    // The request asks one endpoint, a group, or whichever of them a name stands for.
    private static CoapRequest Discovery(string endpoint, string? filter, MulticastRequestSettings? settings)
    {
        ArgumentException.ThrowIfNullOrEmpty(endpoint);
        var request = new CoapRequest(RequestCode.Get, endpoint.TrimEnd('/') + LinkFormat.WellKnownPath)
        {
            Options = string.IsNullOrEmpty(filter) ? [] : [.. filter.Split('&').Select(ArgumentOf)],
        };
        var target = RequestTarget.Of(request);
        var mayNameGroup = !target.IsLiteral && target.Scheme == CoapScheme.Coap;
        var asking = target.IsGroup || mayNameGroup ? CoapRequest.AskingFor(AnswerShape.One, request, new GroupPlan(settings)) : request;
        return target.IsGroup ? asking.ToGroup() : asking;

        UriQuery ArgumentOf(string argument) => argument.IndexOf('=', StringComparison.Ordinal) > 0
            ? new UriQuery(argument)
            : throw new ArgumentException(
                $"'{filter}' is not a filter. A filter is an attribute, '=' and a value, such as \"rt=temperature*\" (RFC 6690, section 4.1).",
                nameof(filter));
    }
}
