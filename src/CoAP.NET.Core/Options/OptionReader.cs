namespace CoAP.Options;

/// <summary>Walks the option region of a message without making objects (RFC 7252, section 3.1).</summary>
/// <remarks>A stack-only cursor: <see cref="Next"/> moves on, <see cref="Number"/> and <see cref="Value"/> are valid until the next call.</remarks>
public ref struct OptionReader
{
    private readonly ReadOnlySpan<byte> _bytes;
    private int _position;

    /// <summary>Starts before the first option.</summary>
    /// <param name="bytes">The region from the first option on; a payload marker ends it.</param>
    public OptionReader(ReadOnlySpan<byte> bytes) => _bytes = bytes;

    /// <summary>The number of the current option.</summary>
    public int Number { get; private set; }

    /// <summary>The value of the current option.</summary>
    public ReadOnlySpan<byte> Value { get; private set; }

    /// <summary>What is wrong with the region; <see cref="Next"/> answered <see langword="false"/> because of it.</summary>
    public FormatError Error { get; private set; }

    /// <summary>The bytes read so far; after an error, the offset of the option that is wrong.</summary>
    public readonly int Position => _position;

    /// <summary>Moves to the next option; <see langword="false"/> at the payload marker, at the end and at an error.</summary>
    public bool Next()
    {
        if (_position >= _bytes.Length || _bytes[_position] == OptionFormat.PayloadMarker) { return false; }
        var head = _bytes[_position];
        int delta = head >> 4, length = head & 15, start = _position + 1;
        if (delta >= OptionFormat.OneByte || length >= OptionFormat.OneByte)
        {
            Error = OptionFormat.ReadExtended(_bytes, ref start, ref delta);
            if (Error == FormatError.None) { Error = OptionFormat.ReadExtended(_bytes, ref start, ref length); }
            if (Error != FormatError.None) { return false; }
        }
        if (Number + delta > OptionNumber.Max) { return Fail(FormatError.OptionNumberTooLarge); }
        if (length > _bytes.Length - start) { return Fail(FormatError.Truncated); }
        Number += delta;
        Value = _bytes.Slice(start, length);
        _position = start + length;
        return true;
    }

    private bool Fail(FormatError error)
    {
        Error = error;
        return false;
    }
}
