using System.Diagnostics.CodeAnalysis;
using System.Text;
using System.Text.Unicode;

namespace CoAP.Discovery;

/// <summary>Reads and writes the format of "/.well-known/core", Content-Format 40: links with attributes (RFC 6690).</summary>
/// <remarks>
/// <para>Safe for concurrent use. Reading takes time in proportion to the length of any text.</para>
/// <para>
/// Deviations that are unambiguous are accepted: blanks, line breaks and NUL around delimiters, commas that are missing or have no link
/// behind them, and numbers in "ct" with blanks between them and without quotes. A malformed attribute is skipped, and so is a repeated
/// attribute that a link may have once (RFC 6690, sections 2 and 3; RFC 5988, section 5). Everything else is a wrong link: a target or a
/// value that was cut off, an attribute that may belong to the next link, or more than 64 attributes.
/// <see cref="Read(ReadOnlyMemory{byte}, Action{string})"/> skips and reports it; the other methods refuse the text. If very many
/// quotes do not fit, the links up to the next line that begins with a link are skipped with the wrong one.
/// </para>
/// <para>
/// A link takes far more memory than its text, so the methods that return a list refuse links that take more than 128 MiB. Use
/// <see cref="Read(ReadOnlyMemory{byte}, Action{string})"/> for more: it keeps none.
/// </para>
/// </remarks>
public static class LinkFormat
{
    /// <summary>The path of the list of resources on a server (RFC 6690, section 4).</summary>
    public const string WellKnownPath = "/.well-known/core";

    /// <summary>The largest amount of memory that the links of a list may take, in bytes.</summary>
    internal const long MaxMemory = 128 << 20;

    /// <summary>Reads links.</summary>
    /// <exception cref="FormatException">The text is malformed, or its links take too much memory. The message says what is wrong and
    /// where.</exception>
    public static IReadOnlyList<WebLink> Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return TryParse(text, out var links, out var error) ? links : throw new FormatException(error);
    }

    /// <summary>Reads links from a payload in UTF-8.</summary>
    /// <exception cref="FormatException">The payload is malformed, or its links take too much memory. The message says what is wrong and
    /// where.</exception>
    public static IReadOnlyList<WebLink> Parse(ReadOnlySpan<byte> payload) =>
        TryParse(payload, out var links, out var error) ? links : throw new FormatException(error);

    /// <summary>Reads links.</summary>
    /// <param name="text">The links; an empty text has none.</param>
    /// <param name="links">The links in their order.</param>
    /// <param name="error">A sentence that says what is wrong and at which character.</param>
    public static bool TryParse(
        ReadOnlySpan<char> text, [NotNullWhen(true)] out IReadOnlyList<WebLink>? links, [NotNullWhen(false)] out string? error)
    {
        var found = new List<WebLink>();
        var reader = new LinkReader(text);
        var isValid = reader.TryReadAll(found, MaxMemory);
        error = isValid ? null : reader.Error ?? "";
        links = isValid ? found : null;
        return isValid;
    }

    /// <summary>Reads links from a payload in UTF-8.</summary>
    /// <param name="payload">The links; an empty payload has none.</param>
    /// <param name="links">The links in their order.</param>
    /// <param name="error">A sentence that says what is wrong and at which character.</param>
    public static bool TryParse(
        ReadOnlySpan<byte> payload, [NotNullWhen(true)] out IReadOnlyList<WebLink>? links, [NotNullWhen(false)] out string? error)
    {
        if (Utf8.IsValid(payload)) { return TryParse(Encoding.UTF8.GetString(payload), out links, out error); }
        links = null;
        error = "The links are not UTF-8.";
        return false;
    }

    /// <summary>Reads links from a payload in UTF-8, one at a time, and skips wrong ones. No attribute gets to another link.</summary>
    /// <param name="payload">The links; an empty payload has none.</param>
    /// <param name="skipped">Called for each wrong link with a sentence that says what is wrong and at which character.</param>
    public static IEnumerable<WebLink> Read(ReadOnlyMemory<byte> payload, Action<string> skipped)
    {
        ArgumentNullException.ThrowIfNull(skipped);
        return Read(payload, int.MaxValue, skipped, static () => { }, CancellationToken.None);
    }

    /// <summary>Reads links from a payload in UTF-8, one at a time.</summary>
    /// <param name="payload">The links; an empty payload has none.</param>
    /// <param name="limit">The largest number of links to read, including wrong ones.</param>
    /// <param name="skipped">Called with the reason for each wrong link, which is skipped, or once if the payload is not UTF-8.</param>
    /// <param name="exceeded">Called if there are more links than the limit.</param>
    /// <param name="cancellationToken">Ends the reading before the next link, even if that is wrong.</param>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    internal static IEnumerable<WebLink> Read(
        ReadOnlyMemory<byte> payload, int limit, Action<string> skipped, Action exceeded, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (!Utf8.IsValid(payload.Span))
        {
            skipped("The links are not UTF-8.");
            yield break;
        }
        var text = Encoding.UTF8.GetString(payload.Span);
        var progress = default(LinkProgress);
        for (var count = 0; TryReadAt(text, ref progress, out var link, out var error);)
        {
            if (count++ == limit)
            {
                exceeded();
                yield break;
            }
            if (error is null) { yield return link!; }
            else { skipped(error); }
            cancellationToken.ThrowIfCancellationRequested();
        }
    }

    /// <summary>Writes links without blanks or line breaks between them.</summary>
    public static string Format(IEnumerable<WebLink> links)
    {
        ArgumentNullException.ThrowIfNull(links);
        var builder = new StringBuilder();
        foreach (var link in links)
        {
            if (builder.Length > 0) { builder.Append(','); }
            LinkWriter.Append(builder, link);
        }
        return builder.ToString();
    }

    /// <summary>Writes links as a payload.</summary>
    public static byte[] Serialize(IEnumerable<WebLink> links) => Encoding.UTF8.GetBytes(Format(links));

    // Returns false at the end of the text.
    private static bool TryReadAt(string text, ref LinkProgress progress, out WebLink? link, out string? error)
    {
        var reader = new LinkReader(text, progress);
        error = reader.TryReadNext(out link) ? null : reader.Error;
        progress = reader.Progress;
        return link is not null || error is not null;
    }
}
