using System.Runtime.CompilerServices;
using CoAP.Discovery;
using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP;

/// <content>Which resources there are (RFC 6690).</content>
public sealed partial class CoapClient
{
    private static readonly ulong EchoBit = OptionNumber.SeenBit(Echo.Declaration.Number);
    private static readonly ulong Block2Bit = OptionNumber.SeenBit(Block2.Declaration.Number);

    /// <summary>Asks an endpoint, or all members of a group, for the links to their resources (RFC 6690, section 4).</summary>
    /// <param name="endpoint">Such as "coap://device.example", or a group such as "coap://224.0.1.187" (RFC 6690, section 1.2.1).</param>
    /// <param name="filter">Which links, such as "rt=temperature*" (RFC 6690, section 4.1); all by default.</param>
    /// <param name="settings">How a group is asked and how long its answers are waited for; those of the client by default.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <remarks>
    /// Links of a group come as its members answer, until the time is over; what a member sends that are no links is left out. A filter keeps
    /// those members silent that have nothing to offer.
    /// </remarks>
    /// <exception cref="CoapResponseException">The endpoint answered with an error.</exception>
    /// <exception cref="FormatException">The endpoint's answer are no links, or the URI is malformed.</exception>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    public async IAsyncEnumerable<DiscoveredLink> DiscoverAsync(
        string endpoint, string? filter = null, MulticastRequestSettings? settings = null, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        var request = Discovery(endpoint, filter);
        if (!await NamesGroupAsync(RequestTarget.Of(request), cancellationToken).ConfigureAwait(false))
        {
            var answer = await SendAsync(request, cancellationToken).ConfigureAwait(false);
            foreach (var link in LinksOf(endpoint, answer)) { yield return link; }
            yield break;
        }
        await foreach (var answer in MulticastAsync(Discovery(endpoint, filter, isConfirmable: false), settings, cancellationToken).ConfigureAwait(false))
        {
            var whole = HasMore(answer) ? await TryFetchAsync(request, answer, cancellationToken).ConfigureAwait(false) : answer;
            foreach (var link in LinksOfMember(whole)) { yield return link; }
        }
    }

    /// <summary>Asks an endpoint, or all members of a group, for the links to their resources. Blocks the calling thread between the answers.</summary>
    /// <inheritdoc cref="DiscoverAsync" path="/param|/remarks|/exception"/>
    public IEnumerable<DiscoveredLink> Discover(
        string endpoint, string? filter = null, MulticastRequestSettings? settings = null, CancellationToken cancellationToken = default)
    {
        var request = Discovery(endpoint, filter);
        if (!NamesGroup(RequestTarget.Of(request)))
        {
            foreach (var link in LinksOf(endpoint, Send(request, cancellationToken))) { yield return link; }
            yield break;
        }
        foreach (var answer in Multicast(Discovery(endpoint, filter, isConfirmable: false), settings, cancellationToken))
        {
            var whole = HasMore(answer) ? TryFetch(request, answer, cancellationToken) : answer;
            foreach (var link in LinksOfMember(whole)) { yield return link; }
        }
    }

    private static CoapRequest Discovery(string endpoint, string? filter, bool isConfirmable = true)
    {
        ArgumentException.ThrowIfNullOrEmpty(endpoint);
        return new CoapRequest(RequestCode.Get, endpoint.TrimEnd('/') + LinkFormat.WellKnownPath)
        {
            Options = string.IsNullOrEmpty(filter) ? [] : [.. filter.Split('&').Select(argument => new UriQuery(argument))],
            IsConfirmable = isConfirmable,
        };
    }

    private async ValueTask<bool> NamesGroupAsync(RequestTarget target, CancellationToken cancellationToken)
    {
        if (target.IsGroup || target.IsLiteral || target.Scheme != CoapScheme.Coap || _settings.Network is not null) { return target.IsGroup; }
        return IsGroup(await _addresses.ResolveAsync(target.Host, cancellationToken).ConfigureAwait(false));
    }

    private bool NamesGroup(RequestTarget target)
    {
        if (target.IsGroup || target.IsLiteral || target.Scheme != CoapScheme.Coap || _settings.Network is not null) { return target.IsGroup; }
        return IsGroup(_addresses.Resolve(target.Host));
    }

    private static bool IsGroup(IReadOnlyList<System.Net.IPAddress> addresses) =>
        addresses.Any(address => PeerIdentity.From(new System.Net.IPEndPoint(address, 0)).IsMulticast);

    // A member sends the first block, or asks whether we are who we say; the rest is had from it alone (RFC 7959, section 2.8; RFC 9175, section 2.4).
    private static bool HasMore(CoapResponse answer) => answer.Code == ResponseCode.Unauthorized
        ? (answer.Options.Seen & EchoBit) != 0
        : (answer.Options.Seen & Block2Bit) != 0 && answer.Options.Get<Block2>() is { HasMore: true };

    private async ValueTask<CoapResponse?> TryFetchAsync(CoapRequest request, CoapResponse first, CancellationToken cancellationToken)
    {
        try { return await Mesh.OpenChannel(first.Remote).SendAsync(ToMember(request, first), cancellationToken).ConfigureAwait(false); }
        catch (CoapException) { return null; }  // one member that is gone is no reason to lose the others
    }

    private CoapResponse? TryFetch(CoapRequest request, CoapResponse first, CancellationToken cancellationToken)
    {
        try { return Mesh.OpenChannel(first.Remote).Send(ToMember(request, first), cancellationToken); }
        catch (CoapException) { return null; }  // as above
    }

    private static CoapRequest ToMember(CoapRequest request, CoapResponse first) => new(request.Method, LinkFormat.WellKnownPath)
    {
        Options = first.Options.Get<Echo>() is { } echo ? request.Options.With(echo) : request.Options,
    };

    private static IEnumerable<DiscoveredLink> LinksOf(string endpoint, CoapResponse answer) =>
        LinkFormat.Parse(answer.EnsureSuccess().Payload.Span).Select(link => new DiscoveredLink(link, answer.Remote, CoapUri.Parse(endpoint)));

    // Links are read from the literal address of the member, in the place of the group's (RFC 7252, section 8.2).
    private static IEnumerable<DiscoveredLink> LinksOfMember(CoapResponse? answer)
    {
        if (answer is not { IsSuccess: true } || !LinkFormat.TryParse(answer.Payload.Span, out var links, out _)) { return []; }
        var member = answer.Remote.ToIPEndPoint() is { } at
            ? CoapUri.FromOptions(CoapScheme.Coap, default(OptionSet), at.Address, at.Port)
            : CoapUri.Parse($"coap://{answer.Remote}");
        return links.Select(link => new DiscoveredLink(link, answer.Remote, member));
    }
}
