using System.Text;

namespace CoAP.Discovery;

// A comma ends a link, but senders forget it or cut the list off, so a "<" where no attribute can continue begins the next link:
//
//   </a>;rt=x<LF></b>         the comma is missing: both links are read
//   </a>;rt=x y;if=z          a malformed attribute: it is skipped
//   </a>;rt=x y </b>;if=z     to which link does "if" belong? Skipped up to the next link: a comma or a line break with a "<" behind it
//   </a>;title="x             the list was cut off here: skipped up to the end
//
// So no attribute gets to another link. A quote that is not closed makes all quotes behind it doubtful; then the next link is searched
// regardless of them.

/// <summary>
/// Reads links from left to right. Skips blanks, line breaks and NUL around delimiters, empty links and malformed attributes.
/// </summary>
/// <remarks>
/// Reads each character a limited number of times: if searches for the ends of attributes and links have looked at too many characters, a
/// search that fails is not repeated from the next link. The links that it has passed are skipped.
/// </remarks>
/// <param name="text">The links.</param>
/// <param name="progress">Where an earlier reader of the same text has stopped.</param>
internal ref struct LinkReader(ReadOnlySpan<char> text, LinkProgress progress = default)
{
    private const char ByteOrderMark = '\uFEFF';

    // Searches look at each character of a text with sound quotes at most twice.
    private const int MostSearches = 6;

    private readonly ReadOnlySpan<char> _text = text;
    private int _position = progress.Position;
    private long _searched = progress.Searched;
    private int _failedAt;          // where the last search failed: at a link behind a line break, or at the end of the text
    private bool _isCut;            // whether the text ends within a quoted value

    /// <summary>Where the next reader continues.</summary>
    public readonly LinkProgress Progress => new(_position, _searched);

    /// <summary>What is wrong with the link that was skipped.</summary>
    public string? Error { get; private set; }

    /// <summary>Reads all links. Returns <see langword="false"/> at the first wrong one, or if the links take too much memory.</summary>
    public bool TryReadAll(List<WebLink> links, long maxMemory)
    {
        for (var memory = 0L; TryReadNext(out var link);)
        {
            if (link is null) { return true; }
            memory += link.Memory;
            if (memory > maxMemory)
            {
                Error = $"The links take too much memory; at most {maxMemory} bytes are allowed (at position {_position}).";
                return false;
            }
            links.Add(link);
        }
        return false;
    }

    /// <summary>
    /// Reads the next link, or <see langword="null"/> at the end of the text. Skips the link and returns <see langword="false"/> if it is
    /// wrong.
    /// </summary>
    public bool TryReadNext(out WebLink? link)
    {
        SkipSeparators();
        link = _position == _text.Length ? null : ReadLink();
        return link is not null || Error is null;
    }

    private WebLink? ReadLink()
    {
        var start = _position;
        if (!TrySkip('<')) { return Fail("a \"<\" before the target of a link", start); }
        var length = _text[_position..].IndexOfAny(LinkSyntax.NotTarget);
        if (length < 0 || _text[_position + length] != '>')
        {
            _position = length < 0 ? _text.Length : _position + length;
            return Fail("the \">\" that ends a target", _position);
        }
        var target = _text.Slice(_position, length).ToString();
        _position += length + 1;
        var attributes = new List<LinkAttribute>();
        return TryReadAttributes(attributes) ? new WebLink(target, attributes) : null;
    }

    private bool TryReadAttributes(List<LinkAttribute> attributes)
    {
        var seen = 0;
        for (SkipBlanks(); TrySkip(';'); SkipBlanks())
        {
            SkipBlanks();
            var start = _position;
            if (!TryReadAttribute(out var attribute) || !IsAtEndOfAttribute())
            {
                if (!TrySkipAttribute(start)) { return false; }
                continue;
            }
            var bit = LinkSyntax.BitOfSingle(attribute.Name);
            if ((seen & bit) != 0) { continue; }
            if (attributes.Count == LinkSyntax.MostAttributes)
            {
                Fail($"at most {LinkSyntax.MostAttributes} attributes of a link, and a \",\" before the next link", start);
                return false;
            }
            attributes.Add(attribute);
            seen |= bit;
        }
        if (_position == _text.Length || _text[_position] is ',' or '<') { return true; }
        Fail("a \",\" before the next link, or a \";\" before an attribute", _position);
        return false;
    }

    private bool TryReadAttribute(out LinkAttribute attribute)
    {
        attribute = default;
        var rest = _text[_position..];
        var length = rest.IndexOfAnyExcept(LinkSyntax.Name);
        var name = length < 0 ? rest : rest[..length];
        if (!LinkSyntax.IsName(name)) { return false; }
        _position += name.Length;
        var end = _position;
        SkipBlanks();
        if (!TrySkip('='))
        {
            _position = end;
            attribute = new(LinkSyntax.NameOf(name));
            return true;
        }
        SkipBlanks();
        var value = TrySkip('"') ? ReadQuoted() : ReadToken(name is "ct");
        if (value is not null) { attribute = new(LinkSyntax.NameOf(name), value); }
        return value is not null;
    }

    // The grammar allows "<" and ">" in a value, but "0</b>" is a value and the next link without a comma between them.
    private string? ReadToken(bool isList)
    {
        var rest = _text[_position..];
        var length = rest.IndexOfAnyExcept(LinkSyntax.Token);
        var token = length < 0 ? rest : rest[..length];
        var mark = token.IndexOf('<');
        if (token.IsEmpty || (mark > 0 && token[mark..].Contains('>'))) { return null; }
        _position += token.Length;
        if (isList && !token.ContainsAnyExceptInRange('0', '9')) { SkipNumbers(); }
        return _text[(_text.Length - rest.Length).._position].ToString();
    }

    // "ct=0 50" lacks its quotes. Behind a number and a blank, a number cannot be anything else.
    private void SkipNumbers()
    {
        for (var end = _position; end < _text.Length && _text[end] == ' ';)
        {
            while (end < _text.Length && _text[end] == ' ') { end++; }
            var start = end;
            while (end < _text.Length && char.IsAsciiDigit(_text[end])) { end++; }
            if (end == start || (end < _text.Length && LinkSyntax.Token.Contains(_text[end]))) { return; }
            _position = end;
        }
    }

    private string? ReadQuoted()
    {
        StringBuilder? unescaped = null;
        for (var start = _position; ;)
        {
            var length = _text[start..].IndexOfAny('"', '\\');
            if (length < 0 || (_text[start + length] == '\\' && start + length + 1 == _text.Length))
            {
                _isCut = !_text[start..].ContainsAny(LinkSyntax.NotValue);
                return null;
            }
            var run = _text.Slice(start, length);
            if (run.ContainsAny(LinkSyntax.NotValue)) { return null; }
            _position = start + length + 1;
            if (_text[_position - 1] == '"') { return unescaped is null ? run.ToString() : unescaped.Append(run).ToString(); }
            if (_text.Slice(_position, 1).ContainsAny(LinkSyntax.NotValue)) { return null; }
            unescaped = (unescaped ?? new StringBuilder()).Append(run).Append(_text[_position]);
            start = _position + 1;
        }
    }

    private bool IsAtEndOfAttribute()
    {
        SkipBlanks();
        return _position == _text.Length || _text[_position] is ';' or ',' or '<';
    }

    /// <summary>
    /// Goes to the end of a malformed attribute. If that end is doubtful, skips the link and returns <see langword="false"/>.
    /// </summary>
    private bool TrySkipAttribute(int start)
    {
        if (_isCut)
        {
            Fail($"the '\"' that ends the value of the attribute at position {start}", _text.Length);
            return false;
        }
        var end = FindUnquoted(start, static character => character is ';' or ',' or '<');
        if (end is { } found && (found == _text.Length || _text[found] != '<' || IsAfterLineBreak(found)))
        {
            _position = found;
            return true;
        }
        Fail($"a \";\" or a \",\" behind the attribute at position {start}", end ?? _text.Length, start, hasDoubtfulQuotes: end is null);
        return false;
    }

    private readonly bool IsAfterLineBreak(int position) =>
        _text[..position].TrimEnd(" \t\0") is [.., '\r' or '\n'];

    /// <summary>
    /// Returns the first matching character that is not quoted, or the end of the text; <see langword="null"/> if the quotes are not as
    /// they should be.
    /// </summary>
    private int? FindUnquoted(int start, Func<char, bool> matches)
    {
        var at = start;
        var isFound = TryFindUnquoted(ref at, matches);
        at = Math.Min(at, _text.Length);
        _searched += at - start;
        if (isFound) { return at; }
        _failedAt = at;
        return null;
    }

    private readonly bool TryFindUnquoted(ref int at, Func<char, bool> matches)
    {
        for (; at < _text.Length && !matches(_text[at]); at++)
        {
            if (_text[at] != '"') { continue; }
            var quote = at;
            for (at++; at < _text.Length && _text[at] != '"'; at++)
            {
                if (_text[at] == '\\') { at++; }
                else if (_text[at] == '<' && at > quote + 1 && IsAfterLineBreak(at)) { return false; }
            }
            if (at >= _text.Length) { return false; }
        }
        return true;
    }

    /// <summary>Skips the wrong link up to the next one.</summary>
    private WebLink? Fail(string expected, int at, int? from = null, bool hasDoubtfulQuotes = false)
    {
        var found = at == _text.Length ? "the end" : Show(_text[at]);
        Error = $"Expected {expected} at position {at}; found {found}.";
        _position = _isCut ? _text.Length : FindLink(from ?? at, hasDoubtfulQuotes);
        return null;
    }

    // A comma or a line break, and a "<" behind it. Quoted commas do not count, unless the quotes are doubtful.
    private int FindLink(int from, bool hasDoubtfulQuotes)
    {
        for (var at = from; ; at++)
        {
            var end = hasDoubtfulQuotes ? null : FindUnquoted(at, static character => character is ',' or '\n' or '\r');
            hasDoubtfulQuotes = end is null;
            if (hasDoubtfulQuotes && _searched > (long)MostSearches * _text.Length) { return _failedAt; }
            at = end ?? FindAnywhere(at);
            if (at == _text.Length) { return at; }
            var next = at + 1;
            while (next < _text.Length && (LinkSyntax.IsBlank(_text[next]) || _text[next] == ',')) { next++; }
            if (next == _text.Length || _text[next] == '<') { return next; }
            at = next - 1;
        }
    }

    private readonly int FindAnywhere(int from)
    {
        var length = _text[from..].IndexOfAny(",\r\n");
        return length < 0 ? _text.Length : from + length;
    }

    private void SkipBlanks()
    {
        while (_position < _text.Length && LinkSyntax.IsBlank(_text[_position])) { _position++; }
    }

    // Empty links do no harm. C programs send the NUL behind their strings, and editors a mark in front.
    private void SkipSeparators()
    {
        if (_position == 0 && _text is [ByteOrderMark, ..]) { _position++; }
        while (_position < _text.Length && (LinkSyntax.IsBlank(_text[_position]) || _text[_position] == ',')) { _position++; }
    }

    private bool TrySkip(char character)
    {
        if (_position == _text.Length || _text[_position] != character) { return false; }
        _position++;
        return true;
    }

    private static string Show(char character)
    {
        var isReadable = !char.IsControl(character) && !char.IsSurrogate(character);
        return isReadable ? $"'{character}'" : $"U+{(int)character:X4}";
    }
}
