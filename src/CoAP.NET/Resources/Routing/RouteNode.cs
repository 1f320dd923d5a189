using CoAP.Options;

namespace CoAP.Resources;

/// <summary>
/// A node of the routing tree: what may follow a sequence of segments. Immutable. A change creates new nodes along one path and shares all others.
/// </summary>
internal sealed class RouteNode
{
    private const int UriPathNumber = 11;

    private LiteralTable _literals = LiteralTable.Empty;
    private ConstrainedNode[] _constrained = [];     // by precedence
    private RouteNode? _placeholder;
    private Resource? _wildcard;
    private Resource? _resource;

    public static RouteNode Empty { get; } = new();

    private bool IsEmpty => _literals.Count == 0 && _constrained.Length == 0 && _placeholder is null && _wildcard is null && _resource is null;

    /// <summary>
    /// Returns the resource at the path in the options, or <see langword="null"/>. From the first segment on, a literal beats a placeholder with
    /// constraints, this beats one without, and a placeholder beats a wildcard.
    /// </summary>
    /// <remarks>
    /// If the better branch has no match, the search continues with the next one. It enters each node of the tree at most once. So a peer cannot make
    /// the search longer than the mapped templates allow.
    /// </remarks>
    public Resource? Match(in OptionSet options)
    {
        var reader = options.Read();
        while (reader.Next() && reader.Number < UriPathNumber) { }
        var path = new PathWalk(reader);
        return Match(reader, hasSegment: reader.Number == UriPathNumber, depth: 0, ref path);
    }

    /// <summary>Returns the resource at a template with the same shape, or <see langword="null"/>.</summary>
    public Resource? Find(RouteTemplate template)
    {
        var node = this;
        foreach (var segment in template.Segments)
        {
            if (segment.Kind == SegmentKind.Wildcard) { return node._wildcard; }
            var next = segment.Kind == SegmentKind.Placeholder ? node.FindPlaceholder(segment.Constraints) : node._literals.Find(segment.Utf8);
            if (next is null) { return null; }
            node = next;
        }
        return node._resource;
    }

    /// <summary>Returns a tree with a resource at the template, or with none if the resource is <see langword="null"/>.</summary>
    public RouteNode With(RouteTemplate template, Resource? resource) => With(template.Segments, resource) ?? Empty;

    /// <summary>Calls an action for each resource, in no particular order.</summary>
    public void Visit(Action<Resource> visit)
    {
        if (_resource is not null) { visit(_resource); }
        _literals.Visit(node => node.Visit(visit));
        foreach (var (_, node) in _constrained) { node.Visit(visit); }
        _placeholder?.Visit(visit);
        if (_wildcard is not null) { visit(_wildcard); }
    }

    private Resource? Match(OptionReader reader, bool hasSegment, int depth, ref PathWalk path)
    {
        var node = this;
        while (hasSegment)
        {
            var next = reader;
            var hasNext = next.Next() && next.Number == UriPathNumber;
            var literal = node._literals.Find(reader.Value);
            if (literal is null || node._placeholder is not null || node._wildcard is not null || node._constrained.Length > 0)
            {
                return literal?.Match(next, hasNext, depth + 1, ref path)
                    ?? (RouteSegment.IsValue(reader.Value) ? node.MatchPlaceholders(reader.Value, next, hasNext, depth + 1, ref path) : null)
                    ?? (node._wildcard is not null && path.IsTailFrom(depth) ? node._wildcard : null);
            }
            node = literal;
            reader = next;
            hasSegment = hasNext;
            depth++;
        }
        return node._resource;
    }

    private Resource? MatchPlaceholders(ReadOnlySpan<byte> segment, OptionReader next, bool hasNext, int depth, ref PathWalk path)
    {
        foreach (var (constraints, node) in _constrained)
        {
            if (constraints.Allow(segment) && node.Match(next, hasNext, depth, ref path) is { } found) { return found; }
        }
        return _placeholder?.Match(next, hasNext, depth, ref path);
    }

    private RouteNode? FindPlaceholder(SegmentConstraints? constraints) => constraints is null
        ? _placeholder
        : Array.Find(_constrained, one => one.Constraints.Equals(constraints)).Node;

    private void SetPlaceholder(SegmentConstraints? constraints, RouteNode? node)
    {
        if (constraints is null)
        {
            _placeholder = node;
            return;
        }
        ConstrainedNode[] others = [.. _constrained.Where(one => !one.Constraints.Equals(constraints))];
        _constrained = node is null ? others : [.. others.Append(new(constraints, node)).OrderBy(one => one.Constraints)];
    }

    private RouteNode? With(ReadOnlySpan<RouteSegment> segments, Resource? resource)
    {
        var changed = (RouteNode)MemberwiseClone();
        if (segments.IsEmpty) { changed._resource = resource; }
        else if (segments[0].Kind == SegmentKind.Wildcard) { changed._wildcard = resource; }
        else if (segments[0].Kind == SegmentKind.Placeholder)
        {
            var constraints = segments[0].Constraints;
            changed.SetPlaceholder(constraints, (FindPlaceholder(constraints) ?? Empty).With(segments[1..], resource));
        }
        else
        {
            var literal = _literals.Find(segments[0].Utf8) ?? Empty;
            changed._literals = _literals.With(segments[0].Utf8, literal.With(segments[1..], resource));
        }
        return changed.IsEmpty ? null : changed;
    }

    /// <summary>What may follow a segment that the constraints allow.</summary>
    private readonly record struct ConstrainedNode(SegmentConstraints Constraints, RouteNode Node);

    /// <summary>Finds the last segment that a wildcard may not match. Searches when a wildcard first needs it, and only once.</summary>
    private ref struct PathWalk(OptionReader first)
    {
        private const int Unknown = -2;

        private readonly OptionReader _first = first;
        private int _lastRefused = Unknown;

        public bool IsTailFrom(int depth)
        {
            if (_lastRefused == Unknown) { _lastRefused = FindLastRefused(); }
            return _lastRefused < depth;
        }

        private readonly int FindLastRefused()
        {
            var reader = _first;
            int last = -1, index = 0;
            do
            {
                if (!RouteSegment.IsTail(reader.Value)) { last = index; }
                index++;
            }
            while (reader.Next() && reader.Number == UriPathNumber);
            return last;
        }
    }
}
