using CoAP.Resources;

namespace CoAP;

/// <summary>Resources whose templates begin with the same prefix, and the steps around them. <see cref="ResourceMap.Group"/> makes it.</summary>
/// <remarks>
/// <para>Safe for concurrent use. You may map resources and add steps while the server answers requests.</para>
/// <para>The resources of a group are those that are mapped through it, or through a group inside it. A resource that is mapped through
/// <see cref="ResourceMap"/> is not in the group, even if its template begins with the prefix.</para>
/// <para>A request passes the steps of the server, of the outer group, of the inner group and of the resource, and then the handler.</para>
/// </remarks>
public sealed class ResourceGroup
{
    private readonly ResourceMap _map;
    private readonly StepLevel[] _levels;

    /// <exception cref="ArgumentException">The prefix is invalid, or contains a wildcard.</exception>
    internal ResourceGroup(ResourceMap map, ResourceGroup? outer, string prefix)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        _map = map;
        // A slash at the end of a prefix separates it from the templates. It is not an empty segment.
        var route = RouteTemplate.Parse(outer is null ? WithoutSlash(prefix) : outer.Full(WithoutSlash(prefix)));
        if (route.HasWildcard)
        {
            throw new ArgumentException($"'{prefix}' cannot be the prefix of a group: a wildcard takes all remaining segments.", nameof(prefix));
        }
        Prefix = route.Text;
        _levels = [.. outer?._levels ?? [], new StepLevel(outer?._levels.Length ?? 0)];
    }

    /// <summary>The prefix of all templates of the group, with a leading slash, and with the prefixes of the groups around it.</summary>
    public string Prefix { get; }

    /// <summary>The steps of the groups around this one and of this one, the outermost first.</summary>
    internal ReadOnlySpan<StepLevel> Levels => _levels;

    internal bool HasSteps => Array.Exists(_levels, static level => level.HasSteps);

    internal bool DependsOnPeer => Array.Exists(_levels, static level => level.DependsOnPeer);

    /// <summary>Returns the resource at the prefix followed by a template, and creates it at the first call.</summary>
    /// <param name="template">The rest of the template. "" and "/" stand for the prefix alone.</param>
    /// <exception cref="ArgumentException">The template is invalid, or differs from a mapped one only in the names of its placeholders.</exception>
    /// <exception cref="InvalidOperationException">The template is mapped outside this group, so that the steps of the group would not apply.</exception>
    public Resource At(string template) => _map.At(Full(template), this);

    /// <summary>Creates a group inside this one. The steps of this group run around its steps.</summary>
    /// <inheritdoc cref="ResourceMap.Group" path="/param|/exception"/>
    public ResourceGroup Group(string prefix) => new(_map, this, prefix);

    /// <summary>Adds a step around all resources of the group, also around those that are mapped already.</summary>
    /// <inheritdoc cref="Resource.Use" path="/param|/exception|/remarks"/>
    public ResourceGroup Use(Func<RequestDelegate, RequestDelegate> step, bool dependsOnPeer = true)
    {
        _levels[^1].Add(step, dependsOnPeer, Prefix);
        return this;
    }

    /// <summary>Maps an object whose methods handle the requests.</summary>
    /// <inheritdoc cref="ResourceMap.Add(string, CoapResource, HandlerMode)" path="/param|/exception"/>
    public Resource Add(string template, CoapResource resource, HandlerMode mode = HandlerMode.Inline) => _map.Add(Full(template), resource, mode, this);

    /// <summary>Maps a function that returns an object for each request.</summary>
    /// <inheritdoc cref="ResourceMap.Add(string, Func{IncomingRequest, CoapResource}, HandlerMode)" path="/param|/exception|/remarks"/>
    public Resource Add(string template, Func<IncomingRequest, CoapResource> create, HandlerMode mode = HandlerMode.Inline) =>
        _map.Add(Full(template), create, mode, this);

    /// <summary>Returns <see langword="true"/> if the steps of another group run around the resources of this one.</summary>
    internal bool IsIn(ResourceGroup other) => Array.IndexOf(_levels, other._levels[^1]) >= 0;

    private static string WithoutSlash(string prefix) => prefix.EndsWith('/') ? prefix[..^1] : prefix;

    private string Full(string template)
    {
        ArgumentNullException.ThrowIfNull(template);
        if (template is "" or "/") { return Prefix; }
        var rest = template.StartsWith('/') ? template : $"/{template}";
        return Prefix == "/" ? rest : Prefix + rest;
    }
}
