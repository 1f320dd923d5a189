using System.Text;

namespace CoAP.Resources;

internal enum SegmentKind { Literal, Placeholder, Wildcard }

/// <summary>A segment of a template: a literal, a placeholder for one segment, or a wildcard for all remaining segments.</summary>
internal sealed class RouteSegment
{
    private const int MaxLength = 255;

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private RouteSegment(SegmentKind kind, string text, byte[] utf8) => (Kind, Text, Utf8) = (kind, text, utf8);

    public SegmentKind Kind { get; }

    /// <summary>The literal text, or the name of the placeholder.</summary>
    public string Text { get; }

    /// <summary>The literal text as the value of a Uri-Path option.</summary>
    public byte[] Utf8 { get; }

    /// <summary>
    /// Returns <see langword="true"/> if a placeholder may match a segment. "." and ".." are not allowed (RFC 7252, section 5.10.1). An empty segment
    /// names the collection, not one of its members.
    /// </summary>
    public static bool IsValue(ReadOnlySpan<byte> segment) => !segment.IsEmpty && !IsDots(segment);

    /// <summary>
    /// Returns <see langword="true"/> if a wildcard may match a segment. In the joined value, a slash within a segment would look like one between two.
    /// </summary>
    public static bool IsTail(ReadOnlySpan<byte> segment) => !IsDots(segment) && !segment.Contains((byte)'/');

    /// <summary>Parses a segment of a template.</summary>
    /// <exception cref="ArgumentException">The segment is invalid. The message names the rule.</exception>
    public static RouteSegment Parse(string text, string template)
    {
        if (text is ['{', .. var inner, '}'])
        {
            return inner is ['*', .. var name]
                ? new(SegmentKind.Wildcard, ParseName(name, template), [])
                : new(SegmentKind.Placeholder, ParseName(inner, template), []);
        }
        if (text.AsSpan().ContainsAny('{', '}'))
        {
            throw Invalid(template, $"segment '{text}' mixes text and braces; a placeholder is a whole segment, such as '{{id}}'");
        }
        return new(SegmentKind.Literal, text, ParseLiteral(text, template));
    }

    internal static ArgumentException Invalid(string template, string what) =>
        new($"Template '{template}' cannot be mapped: {what}.", nameof(template));

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
