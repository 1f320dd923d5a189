using System.Text;
using CoAP.Options;

namespace CoAP.Resources;

/// <summary>A mapped path with placeholders, such as "sensors/{id}" or "files/{*path}".</summary>
/// <remarks>Literal text is compared byte by byte with Uri-Path options, which are not percent-encoded (RFC 7252, section 6.4).</remarks>
internal sealed class RouteTemplate
{
    private const int MaxSegments = 255;
    private const int UriPathNumber = 11;

    private RouteTemplate(string text, RouteSegment[] segments) => (Text, Segments) = (text, segments);

    /// <summary>The template with its leading slash.</summary>
    public string Text { get; }

    /// <summary>The segments. Empty for the root.</summary>
    public RouteSegment[] Segments { get; }

    /// <summary>Whether the template has no placeholders and so matches only one path.</summary>
    public bool IsLiteral => !Segments.Any(IsPlaceholder);

    /// <summary>Whether the last segment is a wildcard.</summary>
    public bool HasWildcard => Segments is [.., { Kind: SegmentKind.Wildcard }];

    /// <summary>Parses the text of a template.</summary>
    /// <exception cref="ArgumentException">The template is invalid. The message names the rule.</exception>
    public static RouteTemplate Parse(string template)
    {
        ArgumentNullException.ThrowIfNull(template);
        if (template.Contains("://", StringComparison.Ordinal)) { throw RouteSegment.Invalid(template, "it is a URI; a resource is mapped at the path alone"); }
        var path = template.StartsWith('/') ? template[1..] : template;
        // Step 8 of RFC 7252, section 6.4: "/" alone is the path without segments; any other trailing slash is an empty segment.
        if (path.Length == 0) { return new("/", []); }
        var texts = path.Split('/');
        if (texts.Length > MaxSegments)
        {
            throw RouteSegment.Invalid(template, $"it has {texts.Length} segments; at most {MaxSegments} are allowed");
        }
        var segments = Array.ConvertAll(texts, text => RouteSegment.Parse(text, template));
        ThrowIfMisplaced(segments, template);
        return new("/" + path, segments);
    }

    /// <summary>Returns the value of a placeholder in the path of a request that was routed to this template.</summary>
    /// <exception cref="ArgumentException">The template has no such placeholder.</exception>
    public string GetValue(string name, in OptionSet options)
    {
        var index = IndexOf(name);
        if (index < 0) { throw new ArgumentException($"'{Text}' has no placeholder '{name}'; {DescribeNames()}.", nameof(name)); }
        var reader = options.Read();
        for (var position = -1; reader.Next();)
        {
            if (reader.Number != UriPathNumber || ++position < index) { continue; }
            return Segments[index].Kind == SegmentKind.Wildcard ? Join(reader) : Encoding.UTF8.GetString(reader.Value);
        }
        throw new InvalidOperationException($"The request was not routed to '{Text}': its path is too short.");
    }

    /// <summary>Returns whether a path in one text, with a leading slash, can be one of the template.</summary>
    /// <remarks>In a text, a slash in the value of a placeholder looks like one between segments. Such a path is compared only at its literal ends.</remarks>
    public bool CanMatch(string path)
    {
        if (path.Length == 1) { return Segments is [] or [{ Kind: SegmentKind.Wildcard }]; }
        var text = path.AsSpan(1);
        var excess = text.Count('/') + 1 - Segments.Length;
        if (excess < 0 || (excess > 0 && IsLiteral)) { return false; }
        if (excess > 0 && Segments[^1] is { Kind: SegmentKind.Literal } last && !path.EndsWith("/" + last.Text, StringComparison.Ordinal)) { return false; }
        var index = 0;
        foreach (var range in text.Split('/'))
        {
            if (index == Segments.Length || (excess > 0 && Segments[index].Kind == SegmentKind.Placeholder)) { return true; }
            if (!Segments[index++].CanMatch(text[range])) { return false; }
        }
        return true;
    }

    /// <summary>Returns the template with its leading slash.</summary>
    public override string ToString() => Text;

    private int IndexOf(string name)
    {
        for (var index = 0; index < Segments.Length; index++)
        {
            if (IsPlaceholder(Segments[index]) && Segments[index].Text == name) { return index; }
        }
        return -1;
    }

    private static string Join(OptionReader reader)
    {
        var length = -1;
        var counter = reader;
        do { length += counter.Value.Length + 1; } while (counter.Next() && counter.Number == UriPathNumber);
        var bytes = length <= 512 ? stackalloc byte[length] : new byte[length];
        for (var position = 0; ;)
        {
            reader.Value.CopyTo(bytes[position..]);
            position += reader.Value.Length;
            if (!reader.Next() || reader.Number != UriPathNumber) { return Encoding.UTF8.GetString(bytes); }
            bytes[position++] = (byte)'/';
        }
    }

    private static void ThrowIfMisplaced(RouteSegment[] segments, string template)
    {
        var names = new HashSet<string>(StringComparer.Ordinal);
        foreach (var segment in segments.Where(IsPlaceholder))
        {
            if (segment.Kind == SegmentKind.Wildcard && segment != segments[^1])
            {
                throw RouteSegment.Invalid(template, $"wildcard '{{*{segment.Text}}}' is not the last segment");
            }
            if (!names.Add(segment.Text)) { throw RouteSegment.Invalid(template, $"placeholder '{segment.Text}' occurs twice"); }
        }
    }

    private static bool IsPlaceholder(RouteSegment segment) => segment.Kind != SegmentKind.Literal;

    private string DescribeNames()
    {
        var names = Segments.Where(IsPlaceholder).Select(segment => $"'{segment.Text}'").ToArray();
        return names.Length == 0 ? "it has none" : $"it has {string.Join(", ", names)}";
    }
}
