using System.Text;

namespace CoAP.Resources;

internal enum SegmentKind { Literal, Placeholder, Wildcard }

/// <summary>A segment of a template: a literal, a placeholder for one segment, or a wildcard for all remaining segments.</summary>
internal sealed class RouteSegment
{
    private const int MaxLength = 255;

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private RouteSegment(SegmentKind kind, string text, byte[] utf8, SegmentConstraints? constraints = null) =>
        (Kind, Text, Utf8, Constraints) = (kind, text, utf8, constraints);

    public SegmentKind Kind { get; }

    /// <summary>The literal text, or the name of the placeholder.</summary>
    public string Text { get; }

    /// <summary>The literal text as the value of a Uri-Path option.</summary>
    public byte[] Utf8 { get; }

    /// <summary>The constraints of the placeholder; <see langword="null"/> if it has none.</summary>
    public SegmentConstraints? Constraints { get; }

    /// <summary>
    /// Returns <see langword="true"/> if a placeholder may match a segment. "." and ".." are not allowed (RFC 7252, section 5.10.1). An empty segment
    /// names the collection, not one of its members.
    /// </summary>
    public static bool IsValue(ReadOnlySpan<byte> segment) => !segment.IsEmpty && !IsDots(segment);

    /// <summary>
    /// Returns <see langword="true"/> if a wildcard may match a segment. In the joined value, a slash within a segment would look like one between two.
    /// </summary>
    public static bool IsTail(ReadOnlySpan<byte> segment) => !IsDots(segment) && !segment.Contains((byte)'/');

    /// <summary>Returns whether text is a value of this segment, or of a wildcard its first segment.</summary>
    public bool CanMatch(ReadOnlySpan<char> text)
    {
        if (Kind == SegmentKind.Literal) { return text.SequenceEqual(Text); }
        if (text is "." or ".." || (text.IsEmpty && Kind == SegmentKind.Placeholder)) { return false; }
        return Constraints is null || Constraints.Allow(Encoding.UTF8.GetBytes(text.ToArray()));
    }

    /// <summary>Parses a segment of a template.</summary>
    /// <exception cref="ArgumentException">The segment is invalid. The message names the rule.</exception>
    public static RouteSegment Parse(string text, string template)
    {
        if (text is ['{', .. var inner, '}'])
        {
            return inner is ['*', .. var name]
                ? new(SegmentKind.Wildcard, ParseWildcard(name, template), [])
                : ParsePlaceholder(inner, template);
        }
        if (text.AsSpan().ContainsAny('{', '}'))
        {
            throw Invalid(template, $"segment '{text}' mixes text and braces, or lacks a brace; a placeholder is a whole segment, such as '{{id}}'");
        }
        return new(SegmentKind.Literal, text, ParseLiteral(text, template));
    }

    internal static ArgumentException Invalid(string template, string what) =>
        new($"Template '{template}' cannot be mapped: {what}.", nameof(template));

    private static RouteSegment ParsePlaceholder(string text, string template)
    {
        var colon = text.IndexOf(':', StringComparison.Ordinal);
        if (colon < 0) { return new(SegmentKind.Placeholder, ParseName(text, template), []); }
        var name = ParseName(text[..colon], template);
        return new(SegmentKind.Placeholder, name, [], SegmentConstraints.Parse(text[(colon + 1)..], name, template));
    }

    private static string ParseWildcard(string text, string template) => text.Contains(':', StringComparison.Ordinal)
        ? throw Invalid(template, $"wildcard '{{*{text}}}' has a constraint; only a placeholder for one segment can have one")
        : ParseName(text, template);

    private static string ParseName(string name, string template)
    {
        if (name.Length == 0) { throw Invalid(template, "a placeholder has no name"); }
        if (!name.All(letter => char.IsLetterOrDigit(letter) || letter is '_' or '-'))
        {
            throw Invalid(template, $"the name '{name}' of a placeholder contains characters other than letters, digits, '_' and '-'");
        }
        return name;
    }

    private static byte[] ParseLiteral(string text, string template)
    {
        if (text is "." or "..") { throw Invalid(template, $"no request can contain the segment '{text}' (RFC 7252, section 5.10.1)"); }
        if (text.Contains('?', StringComparison.Ordinal))
        {
            throw Invalid(template, $"segment '{text}' contains a '?', but a template has no query; map the path, and read arguments with request.Query(name)");
        }
        byte[] bytes;
        try { bytes = Strict.GetBytes(text); }
        catch (EncoderFallbackException) { throw Invalid(template, "a segment contains half of a surrogate pair, which UTF-8 cannot encode"); }
        if (bytes.Length > MaxLength)
        {
            throw Invalid(template, $"a segment is {bytes.Length} bytes in UTF-8; at most {MaxLength} are allowed (RFC 7252, section 5.10)");
        }
        return bytes;
    }

    private static bool IsDots(ReadOnlySpan<byte> segment) => segment.SequenceEqual("."u8) || segment.SequenceEqual(".."u8);
}
