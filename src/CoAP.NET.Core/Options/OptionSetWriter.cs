namespace CoAP.Options;

/// <summary>Sorts typed options and writes them (RFC 7252, section 3.1).</summary>
internal static class OptionSetWriter
{
    // Insertion sort is faster for fewer options than this.
    private const int InsertionSortLimit = 32;

    /// <param name="options">An array that the set owns from now on.</param>
    /// <exception cref="ArgumentException">An option that must not be repeated occurs twice, or a value is too long.</exception>
    public static OptionSet Write(CoapOption[] options)
    {
        var isInOrder = true;
        for (int i = 0, previous = 0; i < options.Length; i++)
        {
            var number = (options[i] ?? throw new ArgumentException("An option is null.", nameof(options))).Number;
            isInOrder &= number >= previous;
            previous = number;
        }
        if (!isInOrder) { SortStably(options); }
        var region = new byte[Measure(options, out var seen)];
        Write(region, options);
        return new OptionSet(region, seen, options);
    }

    private static int Measure(CoapOption[] sorted, out ulong seen)
    {
        long size = 0;
        var previous = 0;
        seen = 0;
        for (var i = 0; i < sorted.Length; i++)
        {
            var option = sorted[i];
            int number = option.Number, delta = number - previous, length = option.ValueLength;
            if (delta == 0 && i > 0 && !option.IsRepeatable) { ThrowSupernumerary(option); }
            if ((uint)length > OptionFormat.MaxValueLength) { ThrowLength(option, length); }
            size += 1 + OptionFormat.ExtendedLength(delta) + OptionFormat.ExtendedLength(length) + length;
            seen |= OptionNumber.SeenBit(number);
            previous = number;
        }
        if (size > Array.MaxLength) { throw new ArgumentException($"The options take {size} bytes; an array holds at most {Array.MaxLength}."); }
        return (int)size;
    }

    private static void Write(Span<byte> region, CoapOption[] sorted)
    {
        var previous = 0;
        foreach (var option in sorted)
        {
            int delta = option.Number - previous, length = option.ValueLength, position = 1;
            region[0] = (byte)((OptionFormat.Nibble(delta) << 4) | OptionFormat.Nibble(length));
            position += OptionFormat.WriteExtended(region[position..], delta);
            position += OptionFormat.WriteExtended(region[position..], length);
            option.WriteValue(region.Slice(position, length));
            region = region[(position + length)..];
            previous = option.Number;
        }
    }

    private static void SortStably(CoapOption[] options)
    {
        if (options.Length > InsertionSortLimit)
        {
            options.OrderBy(option => option.Number).ToArray().CopyTo(options, 0);
            return;
        }
        for (var i = 1; i < options.Length; i++)
        {
            var option = options[i];
            var place = i;
            for (; place > 0 && options[place - 1].Number > option.Number; place--) { options[place] = options[place - 1]; }
            options[place] = option;
        }
    }

    private static void ThrowSupernumerary(CoapOption option) =>
        throw new ArgumentException($"Option {option.Number} ({option.GetType().Name}) occurs twice; at most one is allowed (RFC 7252, section 5.4.5).");

    private static void ThrowLength(CoapOption option, int length) => throw new ArgumentException(
        $"Option {option.Number} ({option.GetType().Name}) is {length} bytes long; at most {OptionFormat.MaxValueLength} are allowed.");
}
