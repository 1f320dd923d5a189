using CoAP.Options;
using CoAP.Resources;

namespace CoAP;

/// <summary>Which resource is found under which path.</summary>
/// <remarks>
/// <para>Resources may be mapped and removed at any time and from any thread; a request sees the map as it was before a change or as it is
/// after it. Matching takes no lock.</para>
/// <para>A template is a path of literal segments, placeholders for one segment ("sensors/{id}") and at most one wildcard for all that is
/// left, at its end ("files/{*path}"). Its text is compared exactly with the segments of the request, case-sensitively and not
/// percent-encoded; a slash in front makes no difference. "" and "/" are the root. A slash at the end is an empty segment: "files/" and
/// "files" are two resources (RFC 7252, section 6.4). Where several templates fit, a literal segment beats a placeholder and a placeholder
/// a wildcard, from the first segment on.</para>
/// <para>A placeholder takes a segment that is not empty; it may hold a slash. A wildcard takes one or more segments, empty ones as well,
/// none of which holds a slash: so "files/{*path}" fits "files/" and "files/a/b" but not "files". Neither takes "." or "..", which no
/// request may hold (RFC 7252, section 5.10.1).</para>
/// </remarks>
public sealed class ResourceMap
{
    private readonly Lock _changing = new();
    private RouteNode _root = RouteNode.Empty;
    private long _version;
    private bool _needsFreshness;

    /// <summary>The resource at a template, which is made where there is none: the same template answers the same resource.</summary>
    /// <exception cref="ArgumentException">The template is wrong, or differs only in the names of its placeholders from one that is
    /// mapped.</exception>
    public Resource At(string template)
    {
        var route = RouteTemplate.Parse(template);
        lock (_changing) { return FindOwn(route) ?? Place(new Resource(route, this)); }
    }

    /// <summary>Maps an object that answers the methods of a resource.</summary>
    /// <param name="template">The path, see the remarks on this type.</param>
    /// <param name="resource">The object; one object may stand under several templates.</param>
    /// <param name="mode">Where its methods are called.</param>
    /// <exception cref="ArgumentException">The template is wrong or conflicts with another one.</exception>
    /// <exception cref="InvalidOperationException">The template is mapped already.</exception>
    public Resource Add(string template, CoapResource resource, HandlerMode mode = HandlerMode.Inline)
    {
        ArgumentNullException.ThrowIfNull(resource);
        var mapped = new Resource(RouteTemplate.Parse(template), this);
        resource.MapTo(mapped, mode);
        lock (_changing)
        {
            if (FindOwn(mapped.Route) is not null) { throw new InvalidOperationException($"'{mapped.Template}' is mapped already."); }
            return Place(mapped);
        }
    }

    /// <summary>Removes the resource at a template; requests that were routed to it before are still answered by it,
    /// and its observers are told that it is not found.</summary>
    /// <returns>Whether there was one.</returns>
    /// <exception cref="ArgumentException">The template is wrong, or differs only in the names of its placeholders from one that is
    /// mapped.</exception>
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
        removed.Observers?.End(ResponseCode.NotFound);
        return true;
    }

    /// <summary>Changes with each change of what is mapped or of what a resource says about itself.</summary>
    internal long Version => Interlocked.Read(ref _version);

    internal Resource? Match(in OptionSet options) => Volatile.Read(ref _root).Match(options);

    /// <summary>
    /// Maps a resource of the library's own, unless the user mapped something there; a later mapping by the user replaces it.
    /// </summary>
    internal void AddBuiltIn(string template, Action<Resource> configure)
    {
        var resource = new Resource(RouteTemplate.Parse(template), this) { IsBuiltIn = true };
        configure(resource);
        lock (_changing)
        {
            if (Find(resource.Route) is null) { Place(resource); }
        }
    }

    /// <summary>What is mapped, ordered by template.</summary>
    internal IReadOnlyList<Resource> List()
    {
        var resources = new List<Resource>();
        Volatile.Read(ref _root).Visit(resources.Add);
        resources.Sort((left, right) => string.CompareOrdinal(left.Template, right.Template));
        return resources;
    }

    /// <summary>Whether any resource ever wanted fresh requests: all others need not ask for it.</summary>
    internal bool NeedsFreshness { get => Volatile.Read(ref _needsFreshness); set => Volatile.Write(ref _needsFreshness, value); }

    internal void Touch() => Interlocked.Increment(ref _version);

    private Resource? FindOwn(RouteTemplate route) => Find(route) is { IsBuiltIn: false } found ? found : null;

    private Resource? Find(RouteTemplate route)
    {
        var found = _root.Find(route);
        if (found is null || found.Template == route.Text) { return found; }
        throw new ArgumentException($"'{route.Text}' and '{found.Template}', which is mapped, differ only in names of placeholders.");
    }

    private Resource Place(Resource resource)
    {
        Volatile.Write(ref _root, _root.With(resource.Route, resource));
        Touch();
        return resource;
    }
}
