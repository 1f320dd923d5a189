namespace CoAP.Options;

/// <content>The set as the bytes of RFC 7252, section 3.1.</content>
public readonly partial struct OptionSet
{
    /// <summary>The bytes that the options take in a message.</summary>
    internal int GetSize()
    {
        if (_typed is null) { return _wire.Length; }
        int size = 0, previous = 0;
        foreach (var option in _typed)
        {
            var length = option.ValueLength;
            size += 1 + OptionFormat.ExtendedLength(option.Number - previous) + OptionFormat.ExtendedLength(length) + length;
            previous = option.Number;
        }
        return size;
    }

    /// <summary>Writes the options and returns the number of bytes; what was received is written back as it came.</summary>
    internal int Write(Span<byte> destination)
    {
        if (_typed is null)
        {
            _wire.Span.CopyTo(destination);
            return _wire.Length;
        }
        int position = 0, previous = 0;
        foreach (var option in _typed)
        {
            int delta = option.Number - previous, length = option.ValueLength;
            destination[position++] = (byte)((OptionFormat.Nibble(delta) << 4) | OptionFormat.Nibble(length));
            position += OptionFormat.WriteExtended(destination[position..], delta);
            position += OptionFormat.WriteExtended(destination[position..], length);
            option.WriteValue(destination.Slice(position, length));
            position += length;
            previous = option.Number;
        }
        return position;
    }

    private ReadOnlySpan<byte> AsRegion()
    {
        if (_typed is null) { return _wire.Span; }
        var region = new byte[GetSize()];
        Write(region);
        return region;
    }
}
