using System.Runtime.CompilerServices;
using CoAP.Discovery;
using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP;

/// <summary>Lists the resources of endpoints and groups (RFC 6690).</summary>
public static class DiscoveryExtensions
{
    /// <summary>Asks an endpoint, or all members of a group, for the links to their resources (RFC 6690, section 4).</summary>
    /// <param name="client">The client.</param>
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
        this IMulticastSender client, string endpoint, string? filter = null, MulticastRequestSettings? settings = null,
        CancellationToken cancellationToken = default)
    {
        var request = Discovery(endpoint, filter);
        return ReadAsync(client, endpoint, request, ToGroup(request), settings, cancellationToken);
    }

    /// <summary>Asks an endpoint, or all members of a group, for the links to their resources. Blocks the calling thread between the responses.</summary>
    /// <inheritdoc cref="DiscoverAsync" path="/param|/remarks|/exception"/>
    public static IEnumerable<DiscoveredLink> Discover(
        this IMulticastSender client, string endpoint, string? filter = null, MulticastRequestSettings? settings = null,
        CancellationToken cancellationToken = default)
    {
        var request = Discovery(endpoint, filter);
        return Read(client, endpoint, request, ToGroup(request), settings, cancellationToken);
    }

    private static async IAsyncEnumerable<DiscoveredLink> ReadAsync(
        IMulticastSender client, string endpoint, CoapRequest request, CoapRequest toGroup, MulticastRequestSettings? settings,
        [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        if (!await NamesGroupAsync(client, RequestTarget.Of(request), cancellationToken).ConfigureAwait(false))
        {
            var answer = await client.SendAsync(request, cancellationToken).ConfigureAwait(false);
            foreach (var link in LinksOf(client, endpoint, answer, cancellationToken)) { yield return link; }
            yield break;
        }
        using var rests = new MemberRests(client, request, (settings ?? client.MulticastDefaults).ListenFor, cancellationToken);
        await foreach (var answer in client.MulticastAsync(toGroup, settings, cancellationToken).ConfigureAwait(false))
        {
            foreach (var link in LinksSoFar(client, rests, answer, cancellationToken)) { yield return link; }
        }
        while (await rests.TakeAsync().ConfigureAwait(false) is { } whole)
        {
            foreach (var link in LinksOfMember(client, whole, cancellationToken)) { yield return link; }
        }
    }

    private static IEnumerable<DiscoveredLink> Read(
        IMulticastSender client, string endpoint, CoapRequest request, CoapRequest toGroup, MulticastRequestSettings? settings,
        CancellationToken cancellationToken)
    {
        if (!NamesGroup(client, RequestTarget.Of(request)))
        {
            foreach (var link in LinksOf(client, endpoint, client.Send(request, cancellationToken), cancellationToken)) { yield return link; }
            yield break;
        }
        using var rests = new MemberRests(client, request, (settings ?? client.MulticastDefaults).ListenFor, cancellationToken);
        foreach (var answer in client.Multicast(toGroup, settings, cancellationToken))
        {
            foreach (var link in LinksSoFar(client, rests, answer, cancellationToken)) { yield return link; }
        }
        while (rests.Take() is { } whole)
        {
            foreach (var link in LinksOfMember(client, whole, cancellationToken)) { yield return link; }
        }
    }

    private static CoapRequest Discovery(string endpoint, string? filter)
    {
        ArgumentException.ThrowIfNullOrEmpty(endpoint);
        return new CoapRequest(RequestCode.Get, endpoint.TrimEnd('/') + LinkFormat.WellKnownPath)
        {
            Options = string.IsNullOrEmpty(filter) ? [] : [.. filter.Split('&').Select(ArgumentOf)],
        };

        UriQuery ArgumentOf(string argument) => argument.IndexOf('=', StringComparison.Ordinal) > 0
            ? new UriQuery(argument)
            : throw new ArgumentException(
                $"'{filter}' is not a filter. A filter is an attribute, '=' and a value, such as \"rt=temperature*\" (RFC 6690, section 4.1).",
                nameof(filter));
    }

    private static CoapRequest ToGroup(CoapRequest request) => new(request.Method, request.Uri!) { Options = request.Options, IsConfirmable = false };

    private static async ValueTask<bool> NamesGroupAsync(IMulticastSender client, RequestTarget target, CancellationToken cancellationToken) =>
        MayNameGroup(target) ? HasGroup(await client.Router.Addresses.ResolveAsync(target, cancellationToken).ConfigureAwait(false)) : target.IsGroup;

    private static bool NamesGroup(IMulticastSender client, RequestTarget target) =>
        MayNameGroup(target) ? HasGroup(client.Router.Addresses.Resolve(target)) : target.IsGroup;

    private static bool MayNameGroup(in RequestTarget target) => !target.IsLiteral && target.Scheme == CoapScheme.Coap;

    private static bool HasGroup(ServerAddresses places) => Enumerable.Range(0, places.Count).Any(index => places[index].Peer.IsMulticast);

    // A member may send only the first block, or a challenge. Its rest comes later, so that it delays no other member.
    private static IEnumerable<DiscoveredLink> LinksSoFar(
        IMulticastSender client, MemberRests rests, CoapResponse answer, CancellationToken cancellationToken)
    {
        if (MemberRests.IsPart(answer)) { rests.Add(answer); }
        else
        {
            foreach (var link in LinksOfMember(client, answer, cancellationToken)) { yield return link; }
        }
        while (rests.TakeNow() is { } whole)
        {
            foreach (var link in LinksOfMember(client, whole, cancellationToken)) { yield return link; }
        }
    }

    private static IEnumerable<DiscoveredLink> LinksOf(
        IMulticastSender client, string endpoint, CoapResponse answer, CancellationToken cancellationToken)
    {
        var (sender, limit, origin) = (answer.Remote, client.MaxDiscoveredLinks, CoapUri.Parse(endpoint));
        var (wrong, first) = (0, "");
        var links = LinkFormat.Read(answer.EnsureSuccess().Payload, limit, error => first = wrong++ == 0 ? error : first, () =>
            throw new CoapTransferException(
                $"{sender} sent more than {limit} links, of which {wrong} are wrong. "
                + $"At most {limit} are read (CoapClientSettings.MaxDiscoveredLinks)."),
            cancellationToken);
        foreach (var link in links) { yield return new DiscoveredLink(link, sender, origin); }
        if (wrong > 0)
        {
            throw new FormatException(
                $"Wrong links of {sender} were skipped: {wrong} (RFC 6690, section 2). The first error: {first}");
        }
    }

    // Links are relative to the address of the member, not to that of the group (RFC 7252, section 8.2).
    private static IEnumerable<DiscoveredLink> LinksOfMember(
        IMulticastSender client, CoapResponse answer, CancellationToken cancellationToken)
    {
        if (!answer.IsSuccess) { return []; }
        var links = LinkFormat.Read(answer.Payload, client.MaxDiscoveredLinks, static _ => { }, static () => { }, cancellationToken);
        var member = answer.Remote.ToIPEndPoint() is { } at
            ? CoapUri.FromOptions(CoapScheme.Coap, default(OptionSet), at.Address, at.Port)
            : CoapUri.Parse($"coap://{answer.Remote}");
        return links.Select(link => new DiscoveredLink(link, answer.Remote, member));
    }
}
