namespace CoAP.Formats;

/// <summary>Finds where the children of the root element end, in bytes that arrive in pieces. The parser validates the tags later.</summary>
internal struct XmlBoundaries
{
    private Part _part;
    private byte _quote;
    private int _depth, _seen, _before;

    private enum Part
    {
        Text,
        Open,           // after '<'
        StartTag,
        Quoted,
        Slash,          // after '/' in a start tag
        EndTag,
        Instruction,    // after "<?"
        Bang,           // after "<!"
        Comment,
        Characters,     // CDATA
    }

    /// <summary>The number of bytes from the start of the document to the end of the start tag of the root; 0 until it is found.</summary>
    public int RootLength { get; private set; }

    /// <summary>Whether the root element has ended.</summary>
    public bool IsEnded { get; private set; }

    /// <summary>Whether a document type definition has been found.</summary>
    public bool HasDtd { get; private set; }

    /// <summary>Scans bytes. Returns the index after the last child of the root that ends in them, or 0.</summary>
    /// <param name="bytes">The bytes that follow those of the last call.</param>
    public int Scan(ReadOnlySpan<byte> bytes)
    {
        var last = 0;
        for (var i = 0; i < bytes.Length; i++)
        {
            if (_part == Part.Text)
            {
                var next = bytes[i..].IndexOf((byte)'<');
                if (next < 0) { break; }
                (i, _part) = (i + next, Part.Open);
                continue;
            }
            if (!Step(bytes[i])) { continue; }
            if (_depth == 1 && RootLength > 0) { last = i + 1; }
            else if (_depth == 1) { RootLength = _before + i + 1; }
            else if (_depth == 0)
            {
                IsEnded = true;
                break;
            }
        }
        if (RootLength == 0) { _before += bytes.Length; }
        return last;
    }

    // Returns true at the end of a tag.
    private bool Step(byte value)
    {
        switch (_part)
        {
            case Part.Open: (_part, _seen) = (AfterOpen(value), 0); return false;
            case Part.StartTag when value is (byte)'"' or (byte)'\'': (_part, _quote) = (Part.Quoted, value); return false;
            case Part.StartTag when value == '/': _part = Part.Slash; return false;
            case Part.StartTag when value == '>': return EndTag(1);
            case Part.Quoted when value == _quote: _part = Part.StartTag; return false;
            case Part.Slash: return value == '>' ? EndTag(0) : BackToTag();
            case Part.EndTag when value == '>': return EndTag(-1);
            case Part.Instruction when value == '>': _part = Part.Text; return false;
            case Part.Bang: AfterBang(value); return false;
            case Part.Comment: EndsAt(value, (byte)'-'); return false;
            case Part.Characters: EndsAt(value, (byte)']'); return false;
            default: return false;
        }
    }

    private static Part AfterOpen(byte value) => value switch
    {
        (byte)'/' => Part.EndTag,
        (byte)'?' => Part.Instruction,
        (byte)'!' => Part.Bang,
        _ => Part.StartTag,
    };

    private void AfterBang(byte value)
    {
        (_part, _seen) = (value == '[' ? Part.Characters : Part.Comment, 0);
        HasDtd |= value is not ((byte)'[' or (byte)'-');
    }

    private bool BackToTag()
    {
        _part = Part.StartTag;
        return false;
    }

    private bool EndTag(int change)
    {
        _part = Part.Text;
        _depth += change;
        return true;
    }

    // Comments end with "-->", CDATA with "]]>". The first '-' of a comment belongs to its start.
    private void EndsAt(byte value, byte mark)
    {
        if (value == mark) { _seen++; }
        else if (value == '>' && _seen >= 2) { _part = Part.Text; }
        else { _seen = 0; }
    }
}
