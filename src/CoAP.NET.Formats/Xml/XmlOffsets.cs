namespace CoAP.Formats;

/// <summary>Finds the offset of the element that a reader has reached. The parser itself reports only lines and columns.</summary>
/// <remarks>
/// An element is identified by its path: the ordinal numbers of its ancestors and its own, from 1, without the root. Readers only move forward, so
/// the search goes on from the last element that was found: all searches in a document together cost one pass over it.
/// </remarks>
internal sealed class XmlOffsets
{
    private int[] _path = new int[8];
    private int _depth = -1;        // of the last start tag; the root has 0
    private int _start, _next;
    private bool _isOpen;           // whether the last start tag has content

    /// <summary>Begins with another document.</summary>
    public void Reset() => (_depth, _start, _next, _isOpen) = (-1, 0, 0, true);

    /// <summary>Returns the offset of the start tag of an element, or of the next one if there is no such element.</summary>
    public int Find(ReadOnlySpan<byte> document, ReadOnlySpan<int> path)
    {
        while (_depth < 0 || IsBefore(path))
        {
            if (!TryMoveToStartTag(document)) { return document.Length; }
        }
        return _start;
    }

    private bool IsBefore(ReadOnlySpan<int> path)
    {
        var own = _path.AsSpan(0, _depth);
        var common = own.CommonPrefixLength(path);
        return common < path.Length && (common == own.Length || own[common] < path[common]);
    }

    private bool TryMoveToStartTag(ReadOnlySpan<byte> document)
    {
        var level = _isOpen ? _depth + 1 : _depth;      // of the next element
        while (true)
        {
            var at = document[_next..].IndexOf((byte)'<');
            if (at < 0) { return false; }
            _start = _next + at;
            var rest = document[_start..];
            if (rest.StartsWith("</"u8))
            {
                level = Math.Max(0, level - 1);
                if (!TrySkip(rest, ">"u8)) { return false; }
            }
            else if (rest.StartsWith("<?"u8))
            {
                if (!TrySkip(rest, "?>"u8)) { return false; }
            }
            else if (rest.StartsWith("<!"u8))
            {
                if (!TrySkip(rest, rest.StartsWith("<![CDATA["u8) ? "]]>"u8 : "-->"u8)) { return false; }
            }
            else { return TryEnter(rest, level); }
        }
    }

    private bool TryEnter(ReadOnlySpan<byte> rest, int level)
    {
        var length = 0;
        while (true)
        {
            var at = rest[length..].IndexOfAny((byte)'>', (byte)'"', (byte)'\'');
            if (at < 0) { return false; }
            length += at + 1;
            if (rest[length - 1] == '>') { break; }
            var end = rest[length..].IndexOf(rest[length - 1]);
            if (end < 0) { return false; }
            length += end + 1;
        }
        _next = _start + length;
        _isOpen = rest[length - 2] != '/';
        Count(level);
        return true;
    }

    private void Count(int level)
    {
        if (level > _path.Length) { Array.Resize(ref _path, 2 * level); }
        if (level > _depth) { _path.AsSpan(Math.Max(0, _depth)..level).Clear(); }
        if (level > 0) { _path[level - 1]++; }
        _depth = level;
    }

    private bool TrySkip(ReadOnlySpan<byte> rest, ReadOnlySpan<byte> end)
    {
        var at = rest.IndexOf(end);
        if (at >= 0) { _next = _start + at + end.Length; }
        return at >= 0;
    }
}
