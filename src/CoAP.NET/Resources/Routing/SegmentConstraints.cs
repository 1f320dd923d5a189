namespace CoAP.Resources;

/// <summary>The constraints of one placeholder, all of which must allow its value. Immutable.</summary>
/// <remarks>
/// Ordered by precedence: more constraints come first, then the narrower kind of the first constraint, then the text. The order in which a template
/// writes its constraints makes no difference.
/// </remarks>
internal sealed class SegmentConstraints : IComparable<SegmentConstraints>, IEquatable<SegmentConstraints>
{
    private readonly RouteConstraint[] _constraints;
    private readonly string _text;

    private SegmentConstraints(RouteConstraint[] constraints) =>
        (_constraints, _text) = (constraints, string.Join(':', constraints.Select(static constraint => constraint.Text)));

    /// <summary>Parses constraints, separated by colons.</summary>
    /// <exception cref="ArgumentException">A constraint is invalid.</exception>
    public static SegmentConstraints Parse(string text, string placeholder, string template) => new(
    [
        .. text.Split(':').Select(one => RouteConstraint.Parse(one, placeholder, template))
            .OrderBy(static constraint => constraint.Rank).ThenBy(static constraint => constraint.Text, StringComparer.Ordinal),
    ]);

    /// <summary>Returns <see langword="true"/> if all constraints allow a segment.</summary>
    public bool Allow(ReadOnlySpan<byte> segment)
    {
        foreach (var constraint in _constraints)
        {
            if (!constraint.Allows(segment)) { return false; }
        }
        return true;
    }

    public int CompareTo(SegmentConstraints? other)
    {
        if (other is null) { return -1; }
        var byCount = other._constraints.Length.CompareTo(_constraints.Length);
        if (byCount != 0) { return byCount; }
        var byRank = _constraints[0].Rank.CompareTo(other._constraints[0].Rank);
        return byRank != 0 ? byRank : string.CompareOrdinal(_text, other._text);
    }

    public bool Equals(SegmentConstraints? other) => other is not null && _text == other._text;

    public override bool Equals(object? obj) => Equals(obj as SegmentConstraints);

    public override int GetHashCode() => _text.GetHashCode(StringComparison.Ordinal);
}
