using System.Globalization;
using System.Text;
using CoAP.Blockwise;
using CoAP.Options;
using CoAP.Uris;

namespace CoAP.Discovery;

/// <summary>Answers a GET of "/.well-known/core" with links to the mapped resources (RFC 6690, section 4; RFC 7252, section 7.2).</summary>
/// <remarks>
/// Lists, ordered by path, the resources that have a path without placeholders and at least one handler, and are not hidden. The list is created
/// on the first request after a change of the map. Safe for concurrent use.
/// </remarks>
internal sealed class WellKnownCore(ResourceMap map)
{
    private const uint LinkFormatId = 40;

    // Each filter is compared with each link. Without a bound, one request could cause a million comparisons.
    private const int MaxFilters = 16;

    // The comparisons for an address that may be forged. A longer list is filtered for verified addresses only.
    private const int MostUnverified = 512;

    private readonly ResourceMap _map = map;
    private Listing? _listing;

    /// <summary>Maps the list, unless the user has mapped a resource at its path. A resource that the user maps there later replaces it.</summary>
    public static void MapOn(ResourceMap map)
    {
        var core = new WellKnownCore(map);
        map.AddBuiltIn(LinkFormat.WellKnownPath, resource =>
        {
            resource.Get(core.Answer, HandlerMode.Inline).Produces(LinkFormatId).Hidden().AnswersMulticast();
            resource.Features.Set(new SmallBlocks());
        });
    }

    private CoapResponse Answer(IncomingRequest request)
    {
        var listing = List();
        if (!request.Options.Contains<UriQuery>()) { return listing.Whole; }
        var arguments = request.Options.GetAll<UriQuery>();
        if (arguments.Count > MaxFilters)
        {
            return Response.Error(ResponseCode.BadRequest, $"The request has {arguments.Count} filters; at most {MaxFilters} are allowed.");
        }
        if (!arguments.All(argument => IsFilter(argument.Value)))
        {
            return Response.Error(ResponseCode.BadRequest, "A filter must be a name, \"=\" and a value (RFC 6690, section 4.1).");
        }
        if (listing.Links.Length * arguments.Count > MostUnverified && request is { IsMulticast: false, Account.IsUnverified: true })
        {
            return request.Lane.Addresses!.Challenge(request.Peer);
        }
        return Render(new LinkFilter(arguments.Select(argument => argument.Value)).Apply(listing.Links));
    }

    // An empty argument, as in "coap://host/.well-known/core?", is no filter. A name alone selects the links that have the attribute.
    private static bool IsFilter(string argument)
    {
        var end = argument.IndexOf('=', StringComparison.Ordinal);
        return argument.Length == 0 || LinkSyntax.IsName(end < 0 ? argument : argument.AsSpan(0, end));
    }

    private Listing List()
    {
        // The version is read before the map, so a change in between causes one extra update but is never missed.
        var version = _map.Version;
        if (Volatile.Read(ref _listing) is { } current && current.Version == version) { return current; }
        var links = _map.List().Where(IsListed).Select(Describe).ToArray();
        var made = new Listing(version, links, Render(links));
        made.Whole.ComputeTag();    // small blocks of a long list need it for each block
        Volatile.Write(ref _listing, made);
        return made;
    }

    private static bool IsListed(Resource resource) => !resource.Description.IsHidden && resource.HasHandlers && resource.Route.IsLiteral;

    private static CoapResponse Render(IEnumerable<WebLink> links) => Response.Content(LinkFormat.Serialize(links), LinkFormatId);

    private static WebLink Describe(Resource resource)
    {
        var target = new StringBuilder();
        foreach (var segment in resource.Route.Segments) { target.Append('/').AppendEncoded(segment.Text, UriSyntax.Segment); }
        return new(target.Length == 0 ? "/" : target.ToString(), DescribeAttributes(resource).ToArray());
    }

    private static IEnumerable<LinkAttribute> DescribeAttributes(Resource resource)
    {
        var link = resource.Description.Link;
        if (link.ResourceType is { } types) { yield return new("rt", types); }
        if (link.Interface is { } interfaces) { yield return new("if", interfaces); }
        if (link.Title is { } title) { yield return new("title", title); }
        if ((link.ContentFormats ?? JoinFormats(resource)) is { } formats) { yield return new("ct", formats); }
        if (link.Size is { } size) { yield return new("sz", size.ToString(CultureInfo.InvariantCulture)); }
        if (link.IsObservable) { yield return new("obs"); }
    }

    private static string? JoinFormats(Resource resource) =>
        resource.Description.Produced is { IsEmpty: false } formats ? string.Join(' ', formats.ToArray()) : null;

    private sealed record Listing(long Version, WebLink[] Links, CoapResponse Whole);
}
