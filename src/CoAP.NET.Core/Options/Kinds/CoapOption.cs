namespace CoAP.Options;

/// <summary>One option of a message: a number and a value (RFC 7252, section 5.10). Immutable.</summary>
public abstract record CoapOption
{
    /// <summary>Takes the number.</summary>
    /// <param name="number">0 to 65,535; its lowest bits say what the option means to those who do not know it (RFC 7252, section 5.4.6).</param>
    /// <exception cref="ArgumentOutOfRangeException">The number is out of its range.</exception>
    protected CoapOption(int number)
    {
        if ((uint)number > OptionNumber.Max)
        {
            throw new ArgumentOutOfRangeException(nameof(number), number, "An option number is 0 to 65,535 (RFC 7252, section 3.1).");
        }
        Number = number;
    }

    /// <summary>The option number, 0 to 65,535.</summary>
    public int Number { get; }

    /// <summary>Whether a message with it must not be processed by those who do not understand it (RFC 7252, section 5.4.1).</summary>
    public bool IsCritical => OptionNumber.IsCritical(Number);

    /// <summary>Whether a proxy that does not understand it must not forward it (RFC 7252, section 5.4.2).</summary>
    public bool IsUnsafe => OptionNumber.IsUnsafe(Number);

    /// <summary>Whether it is left out of the cache key (RFC 7252, section 5.4.2).</summary>
    public bool IsNoCacheKey => OptionNumber.IsNoCacheKey(Number);

    /// <summary>Whether a message may carry it more than once (RFC 7252, section 5.4.5).</summary>
    public virtual bool IsRepeatable => false;

    /// <summary>The length of the value on the wire in bytes, at most 65,804.</summary>
    public abstract int ValueLength { get; }

    /// <summary>Writes the value to the start of <paramref name="destination"/>, which holds at least <see cref="ValueLength"/> bytes.</summary>
    public abstract void WriteValue(Span<byte> destination);

    /// <summary>What the value looks like in a log line.</summary>
    private protected virtual string Text
    {
        get
        {
            var value = new byte[ValueLength];
            WriteValue(value);
            return Convert.ToHexStringLower(value);
        }
    }

    /// <summary>The name of the type and the value, opaque ones in hexadecimal: "UriPath: hello".</summary>
    public sealed override string ToString() => $"{GetType().Name}: {Text}";
}
