using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace CoAP.Uris;

/// <summary>Reads and writes the parts between the delimiters of a URI: path segments, query arguments and the port.</summary>
internal static class UriParts
{
    /// <summary>The longest segment or argument in bytes (RFC 7252, section 5.10).</summary>
    public const int MaxLength = 255;

    private const int MaxBytesPerChar = 3;

    /// <summary>Reads a path and removes "." and ".." (RFC 3986, section 5.2.4).</summary>
    /// <param name="path">The path, with or without a slash at its start.</param>
    /// <param name="position">The position of the path in the URI, for the error.</param>
    /// <param name="parents">The segments that a relative path continues.</param>
    /// <param name="segments">All segments; none for the path "/" (RFC 7252, section 6.4, step 8).</param>
    /// <param name="error">A sentence that says what is wrong.</param>
    public static bool TryReadPath(
        ReadOnlySpan<char> path, int position, ReadOnlySpan<string> parents, out string[] segments, [NotNullWhen(false)] out string? error)
    {
        segments = [];
        error = null;
        if (path.IsEmpty) { return true; }
        List<string> found = [.. parents];
        for (var start = path[0] == '/' ? 1 : 0; ;)
        {
            var length = path[start..].IndexOf('/');
            var isLast = length < 0;
            var raw = isLast ? path[start..] : path.Slice(start, length);
            if (!TryReadPart(raw, isArgument: false, position + start, out var segment, out error)) { return false; }
            // "%2E" is equivalent to "." (RFC 3986, section 6.2.2.2), and no option may contain it (RFC 7252, section 5.10.1).
            var isDots = segment is "." or "..";
            if (segment == ".." && found.Count > 0) { found.RemoveAt(found.Count - 1); }
            if (!isDots || isLast) { found.Add(isDots ? "" : segment); }
            if (isLast) { break; }
            start += length + 1;
        }
        segments = Normalize(found);
        return true;
    }

    /// <summary>Reads the arguments of a query. An empty query has one empty argument.</summary>
    public static bool TryReadQuery(ReadOnlySpan<char> query, int position, out string[] arguments, [NotNullWhen(false)] out string? error)
    {
        arguments = new string[query.Count('&') + 1];
        for (var i = 0; i < arguments.Length; i++)
        {
            var length = query.IndexOf('&');
            var raw = length < 0 ? query : query[..length];
            if (!TryReadPart(raw, isArgument: true, position, out var argument, out error)) { return false; }
            arguments[i] = argument;
            query = length < 0 ? default : query[(length + 1)..];
            position += length + 1;
        }
        error = null;
        return true;
    }

    /// <summary>Reads a port.</summary>
    public static bool TryReadPort(ReadOnlySpan<char> text, int position, out int port, [NotNullWhen(false)] out string? error)
    {
        port = 0;
        if (text.ContainsAnyExceptInRange('0', '9'))
        {
            var hint = text.Contains(':') ? "; an IPv6 address needs brackets" : "";
            return UriSyntax.Fail($"The port \"{text}\" at position {position} is not a number{hint}.", out error);
        }
        var digits = text.TrimStart('0');
        error = null;
        if (digits.IsEmpty) { return true; }
        if (int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out port) && port <= ushort.MaxValue) { return true; }
        return UriSyntax.Fail(
            $"The port \"{text}\" at position {position} is too large; the largest port is {ushort.MaxValue}.", out error);
    }

    /// <summary>Returns the segments as an array. A single empty segment is the path "/", which has no options (RFC 7252, section 6.4, step 8).</summary>
    public static string[] Normalize(List<string> segments) => segments is [""] ? [] : [.. segments];

    /// <summary>Appends a path in normal form, or "/" if there are no segments (RFC 7252, section 6.5, steps 6 and 7).</summary>
    public static StringBuilder AppendPath(this StringBuilder builder, IReadOnlyCollection<string> segments)
    {
        if (segments.Count == 0) { return builder.Append('/'); }
        foreach (var segment in segments) { builder.Append('/').AppendEncoded(segment, UriSyntax.Segment); }
        return builder;
    }

    /// <summary>Appends a query with its question mark, or nothing if there are no arguments (RFC 7252, section 6.5, step 8).</summary>
    public static StringBuilder AppendQuery(this StringBuilder builder, IReadOnlyCollection<string> arguments)
    {
        var delimiter = '?';
        foreach (var argument in arguments)
        {
            builder.Append(delimiter).AppendEncoded(argument, UriSyntax.QueryArgument);
            delimiter = '&';
        }
        return builder;
    }

    private static bool TryReadPart(
        ReadOnlySpan<char> raw, bool isArgument, int position, [NotNullWhen(true)] out string? text, [NotNullWhen(false)] out string? error)
    {
        var what = isArgument ? "query" : "path";
        if (!PercentEncoding.TryDecode(raw, isArgument ? UriSyntax.QueryArgument : UriSyntax.Segment, what, position, out text, out error))
        {
            return false;
        }
        var length = text.Length <= MaxLength / MaxBytesPerChar ? 0 : Encoding.UTF8.GetByteCount(text);
        if (length <= MaxLength) { return true; }
        what = isArgument ? "query argument" : "path segment";
        return UriSyntax.Fail($"The {what} at position {position} is {length} bytes long; at most {MaxLength} are allowed.", out error);
    }
}
