using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace CoAP.Discovery;

/// <summary>Reads links from left to right, each character once. Skips blanks and line breaks around delimiters.</summary>
/// <param name="text">The links.</param>
/// <param name="position">The first character to read: 0, or the end of a link.</param>
internal ref struct LinkReader(ReadOnlySpan<char> text, int position = 0)
{
    private readonly ReadOnlySpan<char> _text = text;
    private int _position = position;

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
            if (!TryReadAttribute(out var attribute)) { return false; }
            var bit = LinkSyntax.BitOfSingle(attribute.Name);
            if ((seen & bit) == 0)
            {
                attributes.Add(attribute);
            }
            else if (!LinkSyntax.IsSecondSkipped(attribute.Name))
            {
                Error = $"The attribute \"{attribute.Name}\" at position {start} is repeated; a link may have it once.";
                return false;
            }
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
        if (!LinkSyntax.IsName(name)) { return Fail("the name of an attribute"); }
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
        if (TrySkip('"')) { return TryReadQuoted(out value); }
        var rest = _text[_position..];
        var length = rest.IndexOfAnyExcept(LinkSyntax.Token);
        var token = length < 0 ? rest : rest[..length];
        if (token.IsEmpty) { return Fail("a value; a value with blanks, commas or semicolons needs quotes"); }
        _position += token.Length;
        value = token.ToString();
        return true;
    }

    private bool TryReadQuoted([NotNullWhen(true)] out string? value)
    {
        value = null;
        var open = _position - 1;
        StringBuilder? unescaped = null;
        for (var start = _position; ;)
        {
            var length = _text[start..].IndexOfAny('"', '\\');
            if (length < 0)
            {
                Error = $"The quote at position {open} is not closed.";
                return false;
            }
            var run = _text.Slice(start, length);
            if (!IsValue(run, start)) { return false; }
            _position = start + length + 1;
            if (_text[_position - 1] == '"')
            {
                value = unescaped is null ? run.ToString() : unescaped.Append(run).ToString();
                return true;
            }
            if (_position == _text.Length) { return Fail("a character after the \"\\\""); }
            if (!IsValue(_text.Slice(_position, 1), _position)) { return false; }
            unescaped = (unescaped ?? new StringBuilder()).Append(run).Append(_text[_position]);
            start = _position + 1;
        }
    }

    private bool IsValue(ReadOnlySpan<char> run, int start)
    {
        var wrong = run.IndexOfAny(LinkSyntax.NotValue);
        if (wrong >= 0) { Error = $"The value contains the control character U+{(int)run[wrong]:X4} at position {start + wrong}."; }
        return wrong < 0;
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
