using CoAP.Exchanges;

namespace CoAP.Discovery;

/// <summary>One discovery: reads the links of its answers, and fetches the rest of those that are parts.</summary>
internal sealed class EndpointDiscovery : IDisposable
{
    private readonly string _endpoint;
    private readonly int _maxLinks;
    private readonly CancellationToken _canceled;

    /// <param name="sender">The client, also through steps.</param>
    /// <param name="endpoint">The endpoint or group, as the user has named it.</param>
    /// <param name="request">The request.</param>
    /// <param name="settings">How a group is asked; <see langword="null"/> for the settings of the client.</param>
    /// <param name="cancellationToken">Ends the discovery.</param>
    public EndpointDiscovery(
        IRequestSender sender, string endpoint, CoapRequest request, MulticastRequestSettings? settings,
        CancellationToken cancellationToken)
    {
        var environment = IEnvironmentSender.EnvironmentOf(sender);
        (_endpoint, _maxLinks, _canceled) = (endpoint, environment.MaxDiscoveredLinks, cancellationToken);
        Rests = new MemberRests(sender, environment, request, settings?.ListenFor ?? environment.ListenFor, cancellationToken);
    }

    /// <summary>The rests of the answers of members.</summary>
    public MemberRests Rests { get; }

    /// <summary>Returns the links of an answer, and those of rests that have arrived meanwhile.</summary>
    /// <remarks>A member may send only the first block, or a challenge. Its rest comes later, so that it delays no other member.</remarks>
    public IEnumerable<DiscoveredLink> LinksSoFar(CoapResponse answer)
    {
        var isOfMember = answer.Asked?.Shape == AnswerShape.Group;
        if (isOfMember && MemberRests.IsPart(answer)) { Rests.Add(answer); }
        else
        {
            foreach (var link in isOfMember ? LinksOfMember(answer) : LinksOfEndpoint(answer)) { yield return link; }
        }
        while (Rests.TakeNow() is { } whole)
        {
            foreach (var link in LinksOfMember(whole)) { yield return link; }
        }
    }

    /// <summary>Returns the links of a member of a group, but for wrong ones.</summary>
    public IEnumerable<DiscoveredLink> LinksOfMember(CoapResponse answer)
    {
        if (!answer.IsSuccess) { return []; }
        var links = LinkFormat.Read(answer.Payload, _maxLinks, static _ => { }, static () => { }, _canceled);
        var member = MemberRests.UriOf(answer.Remote);
        return links.Select(link => new DiscoveredLink(link, answer.Remote, member));
    }

    public void Dispose() => Rests.Dispose();

    private IEnumerable<DiscoveredLink> LinksOfEndpoint(CoapResponse answer)
    {
        var (sender, origin) = (answer.Remote, CoapUri.Parse(_endpoint));
        var (wrong, first) = (0, "");
        var links = LinkFormat.Read(answer.EnsureSuccess().Payload, _maxLinks, error => first = wrong++ == 0 ? error : first, () =>
            throw new CoapTransferException(
                $"{sender} sent more than {_maxLinks} links, of which {wrong} are wrong. "
                + $"At most {_maxLinks} are read (CoapClientSettings.MaxDiscoveredLinks)."),
            _canceled);
        foreach (var link in links) { yield return new DiscoveredLink(link, sender, origin); }
        if (wrong > 0)
        {
            throw new FormatException(
                $"Wrong links of {sender} were skipped: {wrong} (RFC 6690, section 2). The first error: {first}");
        }
    }
}
