using CoAP.Exchanges;
using CoAP.Options;
using CoAP.Resources;

namespace CoAP;

/// <summary>Maps paths to resources.</summary>
/// <remarks>
/// <para>You may map and remove resources at any time and from any thread. A request sees the map either before or after a change. Matching
/// takes no lock.</para>
/// <para>A template is a path of literal segments, placeholders for one segment ("sensors/{id}") and at most one wildcard at its end for all
/// remaining segments ("files/{*path}"). Literal segments are compared exactly: case-sensitively and not percent-encoded. A leading slash
/// makes no difference. "" and "/" are the root. A trailing slash is an empty segment: "files/" and "files" are two resources (RFC 7252,
/// section 6.4).</para>
/// <para>A placeholder may have constraints, separated by colons: "sensors/{id:int}", "{id:int:min(1)}". They are <c>int</c>, <c>uint</c>,
/// <c>long</c>, <c>double</c>, <c>bool</c>, <c>guid</c>, <c>alpha</c> (ASCII letters), <c>min(1)</c>, <c>max(9)</c> and <c>range(1,9)</c> (integers of
/// 64 bits), <c>length(3)</c> and <c>length(1,8)</c> (characters). They do not depend on the culture. A placeholder only matches a segment that all its
/// constraints allow.</para>
/// <para>If several templates match, from the first segment on: a literal segment beats a placeholder with constraints, this beats a placeholder
/// without, and a placeholder beats a wildcard. Of two placeholders, the one with more constraints comes first, then the kind of constraint in the order
/// <c>range</c>, <c>min</c>, <c>max</c>, <c>bool</c>, <c>guid</c>, <c>uint</c>, <c>int</c>, <c>long</c>, <c>double</c>, <c>alpha</c>, <c>length</c>, then
/// the text.</para>
/// <para>A placeholder matches one segment that is not empty; the segment may hold a slash. A wildcard matches one or more segments, which
/// may be empty but may not hold a slash: "files/{*path}" matches "files/" and "files/a/b" but not "files". Neither matches "." or "..",
/// which no request may hold (RFC 7252, section 5.10.1).</para>
/// </remarks>
public sealed class ResourceMap
{
    private readonly Lock _changing = new();
    private RouteNode _root = RouteNode.Empty;
    private long _version;

    /// <summary>Returns the resource at a template, and creates it at the first call.</summary>
    /// <exception cref="ArgumentException">The template is invalid, or differs from a mapped one only in the names of its placeholders.</exception>
    public Resource At(string template) => At(template, group: null);

    /// <summary>Creates a group of resources whose templates begin with a prefix, for steps around all of them. Each call creates another group.</summary>
    /// <param name="prefix">The first segments of the templates, such as "devices/{device}". "" and "/" stand for all paths. A slash at the end
    /// makes no difference.</param>
    /// <exception cref="ArgumentException">The prefix is invalid, or contains a wildcard.</exception>
    public ResourceGroup Group(string prefix) => new(this, outer: null, prefix);

    /// <summary>Maps an object whose methods handle the requests.</summary>
    /// <param name="template">The template, see the remarks on <see cref="ResourceMap"/>.</param>
    /// <param name="resource">The object. It may be mapped under several templates.</param>
    /// <param name="mode">Where its methods run.</param>
    /// <exception cref="ArgumentException">The template is invalid, or differs from a mapped one only in the names of its placeholders.</exception>
    /// <exception cref="InvalidOperationException">The template is already mapped.</exception>
    public Resource Add(string template, CoapResource resource, HandlerMode mode = HandlerMode.Inline) => Add(template, resource, mode, group: null);

    /// <summary>Maps a function that returns an object for each request.</summary>
    /// <param name="template">The template, see the remarks on <see cref="ResourceMap"/>.</param>
    /// <param name="create">Returns the object whose method handles the request. Called inside the steps, on the thread of the method.</param>
    /// <param name="mode">Where the function and the methods run.</param>
    /// <exception cref="ArgumentException">The template is invalid, or differs from a mapped one only in the names of its placeholders.</exception>
    /// <exception cref="InvalidOperationException">The template is already mapped.</exception>
    /// <remarks>The objects are not disposed: the function may return the same object for several requests.</remarks>
    public Resource Add(string template, Func<IncomingRequest, CoapResource> create, HandlerMode mode = HandlerMode.Inline) =>
        Add(template, create, mode, group: null);

    /// <summary>Removes the resource at a template. It still answers the requests that were routed to it before. Its observations end with
    /// 4.04 (Not Found).</summary>
    /// <returns><see langword="false"/> if the template is not mapped.</returns>
    /// <exception cref="ArgumentException">The template is invalid, or differs from a mapped one only in the names of its placeholders.</exception>
    public bool Remove(string template)
    {
        var route = RouteTemplate.Parse(template);
        Resource removed;
        lock (_changing)
        {
            if (Find(route) is not { } found) { return false; }
            removed = found;
            Volatile.Write(ref _root, _root.With(route, null));
            Touch();
        }
        foreach (var feature in removed.Features.All) { feature.OnRemoved(); }
        return true;
    }

    internal Resource At(string template, ResourceGroup? group)
    {
        var route = RouteTemplate.Parse(template);
        lock (_changing)
        {
            if (FindOwn(route) is not { } found) { return Place(new Resource(route, this, group)); }
            if (group is null || found.Group?.IsIn(group) == true) { return found; }
            throw new InvalidOperationException(
                $"'{found.Template}' is mapped outside the group '{group.Prefix}', so the steps of the group would not apply. Map it through one group only.");
        }
    }

    internal Resource Add(string template, CoapResource resource, HandlerMode mode, ResourceGroup? group)
    {
        ArgumentNullException.ThrowIfNull(resource);
        return Add(new Resource(RouteTemplate.Parse(template), this, group), mapped => resource.MapTo(mapped, mode));
    }

    internal Resource Add(string template, Func<IncomingRequest, CoapResource> create, HandlerMode mode, ResourceGroup? group)
    {
        ArgumentNullException.ThrowIfNull(create);
        return Add(new Resource(RouteTemplate.Parse(template), this, group), mapped => CoapResource.MapTo(mapped, create, mode));
    }

    /// <summary>The number of changes to the map and to the descriptions of its resources.</summary>
    internal long Version => Interlocked.Read(ref _version);

    /// <summary>The state of features of the map.</summary>
    internal FeatureSet<ResourceFeature> Features { get; } = new();

    internal Resource? Match(in OptionSet options) => Volatile.Read(ref _root).Match(options);

    /// <summary>Maps a resource of the library, unless the user has mapped one there. A later mapping by the user replaces it.</summary>
    internal void AddBuiltIn(string template, Action<Resource> configure)
    {
        var resource = new Resource(RouteTemplate.Parse(template), this) { IsBuiltIn = true };
        configure(resource);
        lock (_changing)
        {
            if (Find(resource.Route) is null) { Place(resource); }
        }
    }

    /// <summary>Returns all resources, ordered by template.</summary>
    internal IReadOnlyList<Resource> List()
    {
        var resources = new List<Resource>();
        Volatile.Read(ref _root).Visit(resources.Add);
        resources.Sort((left, right) => string.CompareOrdinal(left.Template, right.Template));
        return resources;
    }

    internal void Touch() => Interlocked.Increment(ref _version);

    private Resource Add(Resource resource, Action<Resource> configure)
    {
        configure(resource);
        lock (_changing)
        {
            if (FindOwn(resource.Route) is not null) { throw new InvalidOperationException($"'{resource.Template}' is already mapped."); }
            return Place(resource);
        }
    }

    private Resource? FindOwn(RouteTemplate route) => Find(route) is { IsBuiltIn: false } found ? found : null;

    private Resource? Find(RouteTemplate route)
    {
        var found = _root.Find(route);
        if (found is null || found.Template == route.Text) { return found; }
        throw new ArgumentException($"'{route.Text}' differs from the mapped template '{found.Template}' only in the names of placeholders{OrOrder(route)}.");
    }

    private static string OrOrder(RouteTemplate route) =>
        Array.Exists(route.Segments, static segment => segment.Constraints is not null) ? " or in how their constraints are written" : "";

    private Resource Place(Resource resource)
    {
        Volatile.Write(ref _root, _root.With(resource.Route, resource));
        Touch();
        return resource;
    }
}
