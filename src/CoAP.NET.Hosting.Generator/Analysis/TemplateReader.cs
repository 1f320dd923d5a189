using CoAP.Hosting.Generation.Results;
using Microsoft.CodeAnalysis;

namespace CoAP.Hosting.Generation.Analysis;

/// <summary>Reads the placeholders of a template and reports what the resource map would refuse.</summary>
internal static class TemplateReader
{
    private static readonly string[] Constraints =
        ["range", "min", "max", "bool", "guid", "uint", "int", "long", "double", "alpha", "length"];

    /// <summary>Reads the template of a call.</summary>
    /// <param name="argument">The argument.</param>
    /// <param name="isWhole">Whether the template has no prefix.</param>
    /// <param name="problems">Receives what is wrong with it.</param>
    public static Template Read(IOperation? argument, bool isWhole, List<Problem> problems)
    {
        if (argument?.ConstantValue is not { HasValue: true, Value: string text }) { return new Template(null, [], false); }
        var names = new List<string>();
        if (Read(text, names) is { } wrong) { problems.Add(Problem.At(Rules.Template, argument.Syntax.GetLocation(), text, wrong)); }
        return new Template(text, names, isWhole);
    }

    // Returns what is wrong with the template.
    private static string? Read(string text, List<string> names)
    {
        if (text.Contains("://")) { return "it is a URI; a resource is mapped at the path alone"; }
        var segments = (text.StartsWith("/", StringComparison.Ordinal) ? text.Substring(1) : text).Split('/');
        for (var i = 0; i < segments.Length; i++)
        {
            if (ReadSegment(segments[i], i == segments.Length - 1, names) is { } wrong) { return wrong; }
        }
        return null;
    }

    private static string? ReadSegment(string segment, bool isLast, List<string> names)
    {
        if (!segment.StartsWith("{", StringComparison.Ordinal) || !segment.EndsWith("}", StringComparison.Ordinal) || segment.Length < 2)
        {
            if (segment.IndexOf('?') >= 0)
            {
                return $"segment '{segment}' contains a '?', but a template has no query; map the path, and let the handler have a parameter for each argument";
            }
            return segment.IndexOfAny(['{', '}']) < 0
                ? segment is "." or ".." ? $"no request can contain the segment '{segment}' (RFC 7252, section 5.10.1)" : null
                : $"segment '{segment}' mixes text and braces, or lacks a brace; a placeholder is a whole segment, such as '{{id}}'";
        }
        var parts = segment.Substring(1, segment.Length - 2).Split(':');
        var isWildcard = parts[0].StartsWith("*", StringComparison.Ordinal);
        var name = parts[0].TrimStart('*').Trim();
        if (name.Length == 0) { return "a placeholder has no name"; }
        if (name.Any(letter => !char.IsLetterOrDigit(letter) && letter is not ('_' or '-')))
        {
            return $"the name '{name}' of a placeholder contains characters other than letters, digits, '_' and '-'";
        }
        if (isWildcard && !isLast) { return $"wildcard '{{*{name}}}' is not the last segment"; }
        if (names.Contains(name)) { return $"placeholder '{name}' occurs twice"; }
        names.Add(name);
        var unknown = parts.Skip(1).Select(part => part.Split('(')[0].Trim()).FirstOrDefault(part => !Constraints.Contains(part));
        return unknown is null
            ? null
            : $"'{unknown}' of placeholder '{name}' is not a constraint; the constraints are {string.Join(", ", Constraints)}";
    }
}
