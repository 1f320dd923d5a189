using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace CoAP.Discovery;

/// <summary>Reads links from left to right, each character at most three times. Skips blanks and line breaks around delimiters, and malformed attributes.</summary>
/// <param name="text">The links.</param>
/// <param name="position">The first character to read: 0, or the end of a link.</param>
internal ref struct LinkReader(ReadOnlySpan<char> text, int position = 0)
{
    private readonly ReadOnlySpan<char> _text = text;
    private int _position = position;
    private bool _hasUnclosed;      // whether a quote is not closed

    /// <summary>The next character to read.</summary>
    public readonly int Position => _position;

    public string? Error { get; private set; }

    /// <summary>Reads all links. Returns <see langword="false"/> at the first malformed one.</summary>
    public bool TryReadAll(List<WebLink> links)
    {
        while (TryReadNext(out var link))
        {
            if (link is null) { return true; }
            links.Add(link);
        }
        return false;
    }

    /// <summary>Reads the next link, or <see langword="null"/> at the end of the text. Returns <see langword="false"/> if the link is malformed.</summary>
    public bool TryReadNext(out WebLink? link)
    {
        link = null;
        var isFirst = _position == 0;
        SkipBlanks();
        if (_position == _text.Length) { return true; }
        if (!isFirst && !TrySkip(',')) { return Fail("a \",\" before the next link, or a \";\" before an attribute"); }
        SkipBlanks();
        return TryReadLink(out link);
    }

    private bool TryReadLink([NotNullWhen(true)] out WebLink? link)
    {
        link = null;
        if (!TrySkip('<')) { return Fail("a \"<\" before the target of a link"); }
        var length = _text[_position..].IndexOfAny(LinkSyntax.NotTarget);
        if (length < 0 || _text[_position + length] != '>')
        {
            _position = length < 0 ? _text.Length : _position + length;
            return Fail("the \">\" that ends a target");
        }
        var target = _text.Slice(_position, length).ToString();
        _position += length + 1;
        var attributes = new List<LinkAttribute>();
        var seen = 0;
        for (SkipBlanks(); TrySkip(';'); SkipBlanks())
        {
            SkipBlanks();
            var start = _position;
            if (!TryReadAttribute(out var attribute) || !IsAtEndOfAttribute())
            {
                SkipAttribute(start);
                continue;
            }
            var bit = LinkSyntax.BitOfSingle(attribute.Name);
            if ((seen & bit) == 0) { attributes.Add(attribute); }
            seen |= bit;
        }
        link = new WebLink(target, attributes);
        return true;
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
            attribute = new(name.ToString());
            return true;
        }
        SkipBlanks();
        if (!TryReadValue(out var value)) { return false; }
        attribute = new(name.ToString(), value);
        return true;
    }

    private bool TryReadValue([NotNullWhen(true)] out string? value)
    {
        value = null;
        if (TrySkip('"')) { return !_hasUnclosed && TryReadQuoted(out value); }
        var rest = _text[_position..];
        var length = rest.IndexOfAnyExcept(LinkSyntax.Token);
        var token = length < 0 ? rest : rest[..length];
        if (token.IsEmpty) { return false; }
        _position += token.Length;
        value = token.ToString();
        return true;
    }

    private bool TryReadQuoted([NotNullWhen(true)] out string? value)
    {
        value = null;
        StringBuilder? unescaped = null;
        for (var start = _position; ;)
        {
            var length = _text[start..].IndexOfAny('"', '\\');
            if (length < 0) { return false; }
            var run = _text.Slice(start, length);
            if (run.ContainsAny(LinkSyntax.NotValue)) { return false; }
            _position = start + length + 1;
            if (_text[_position - 1] == '"')
            {
                value = unescaped is null ? run.ToString() : unescaped.Append(run).ToString();
                return true;
            }
            if (_position == _text.Length || _text.Slice(_position, 1).ContainsAny(LinkSyntax.NotValue)) { return false; }
            unescaped = (unescaped ?? new StringBuilder()).Append(run).Append(_text[_position]);
            start = _position + 1;
        }
    }

    private bool IsAtEndOfAttribute()
    {
        SkipBlanks();
        return _position == _text.Length || _text[_position] is ';' or ',';
    }

    // Goes to the delimiter after a malformed attribute. A quote that is not closed counts as any other character. There is at most one in a text, because
    // it is the last quote that is not escaped.
    private void SkipAttribute(int start)
    {
        _position = start;
        var isQuoted = false;
        for (; _position < _text.Length && (isQuoted || _text[_position] is not (';' or ',')); _position++)
        {
            if (_text[_position] == '"') { isQuoted = !isQuoted && !_hasUnclosed; }
            else if (_text[_position] == '\\' && isQuoted && _position + 1 < _text.Length) { _position++; }
        }
        if (!isQuoted) { return; }
        _hasUnclosed = true;
        SkipAttribute(start);
    }

    private void SkipBlanks()
    {
        while (_position < _text.Length && LinkSyntax.IsBlank(_text[_position])) { _position++; }
    }

    private bool TrySkip(char character)
    {
        if (_position == _text.Length || _text[_position] != character) { return false; }
        _position++;
        return true;
    }

    private bool Fail(string expected)
    {
        var found = _position == _text.Length ? "the end" : Show(_text[_position]);
        Error = $"Expected {expected} at position {_position}; found {found}.";
        return false;
    }

    private static string Show(char character)
    {
        var isReadable = !char.IsControl(character) && !char.IsSurrogate(character);
        return isReadable ? $"'{character}'" : $"U+{(int)character:X4}";
    }
}
