using System.Text;

namespace CoAP.Formats.Generation.Emission;

/// <summary>Collects lines of source with their indentation.</summary>
internal sealed class CodeWriter
{
    private readonly StringBuilder _text = new();
    private int _depth;

    /// <summary>Adds a line, or an empty one.</summary>
    public void Line(string line = "")
    {
        if (line.Length > 0) { _text.Append(' ', _depth * 4).Append(line); }
        _text.Append('\n');
    }

    /// <summary>Adds a line and the opening brace of a block.</summary>
    public void Open(string line)
    {
        Line(line);
        Line("{");
        _depth++;
    }

    /// <summary>Adds the closing brace of a block.</summary>
    public void Close(string suffix = "")
    {
        _depth--;
        Line("}" + suffix);
    }

    public override string ToString() => _text.ToString();
}
