using System.Text;
using System.Text.RegularExpressions;

namespace CoAP.Interop.Tests.Documentation;

/// <summary>The links and headings of a page in Markdown. What stands in blocks or spans of code is neither.</summary>
internal sealed partial class MarkdownPage
{
    private MarkdownPage(string text)
    {
        Prose = Fence().Replace(text.ReplaceLineEndings("\n"), "");
        var plain = CodeSpan().Replace(Prose, "");
        Links = [.. InlineLink().Matches(plain).Concat(Definition().Matches(plain)).Concat(HtmlLink().Matches(plain))
            .Select(static match => match.Groups["target"].Value).Where(static target => !Scheme().IsMatch(target))];
        var headings = AnchorsOf(Heading().Matches(Prose).Select(static match => match.Groups["text"].Value));
        Anchors = headings.Concat(HtmlAnchor().Matches(plain).Select(static match => match.Groups["name"].Value)).ToHashSet();
    }

    /// <summary>The text without blocks of code.</summary>
    public string Prose { get; }

    /// <summary>The targets of the links to files of the repository, and to headings.</summary>
    public IReadOnlyList<string> Links { get; }

    /// <summary>The names that can follow a '#'.</summary>
    public IReadOnlySet<string> Anchors { get; }

    public static MarkdownPage Parse(string text) => new(text);

    public static MarkdownPage Read(string path) => new(File.ReadAllText(path));

    // As GitHub does: lower case, without punctuation, with hyphens for spaces, and numbered if a name occurs again.
    private static IEnumerable<string> AnchorsOf(IEnumerable<string> headings)
    {
        var counts = new Dictionary<string, int>();
        foreach (var heading in headings)
        {
            var anchor = AnchorOf(InlineLink().Replace(heading, static match => match.Groups["text"].Value));
            var count = counts.GetValueOrDefault(anchor);
            counts[anchor] = count + 1;
            yield return count == 0 ? anchor : $"{anchor}-{count}";
        }
    }

    private static string AnchorOf(string heading)
    {
        var anchor = new StringBuilder();
        foreach (var letter in heading.Trim())
        {
            if (char.IsLetterOrDigit(letter) || letter is '-' or '_') { anchor.Append(char.ToLowerInvariant(letter)); }
            else if (letter == ' ') { anchor.Append('-'); }
        }
        return anchor.ToString();
    }

    [GeneratedRegex(@"^[ >]*(?<fence>`{3,}|~{3,})[^\n]*\n.*?^[ >]*\k<fence>[ ]*$\n?", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Fence();

    [GeneratedRegex(@"(?<ticks>`+)(?!`).+?(?<!`)\k<ticks>(?!`)")]
    private static partial Regex CodeSpan();

    [GeneratedRegex(@"!?\[(?<text>[^\[\]]*)\]\(<?(?<target>[^)\s>]+)>?(?:\s+""[^""]*"")?\)")]
    private static partial Regex InlineLink();

    [GeneratedRegex(@"^ {0,3}\[[^\]]+\]:\s*<?(?<target>[^\s>]+)>?", RegexOptions.Multiline)]
    private static partial Regex Definition();

    [GeneratedRegex(@"<(?:a|img)\s[^>]*?(?:href|src)=""(?<target>[^""]+)""", RegexOptions.IgnoreCase)]
    private static partial Regex HtmlLink();

    [GeneratedRegex(@"<a\s[^>]*?(?:id|name)=""(?<name>[^""]+)""", RegexOptions.IgnoreCase)]
    private static partial Regex HtmlAnchor();

    [GeneratedRegex(@"^ {0,3}#{1,6}[ \t]+(?<text>.+?)(?:[ \t]+#+)?[ \t]*$", RegexOptions.Multiline)]
    private static partial Regex Heading();

    [GeneratedRegex("^[a-z][a-z0-9+.-]*:", RegexOptions.IgnoreCase)]
    private static partial Regex Scheme();
}
