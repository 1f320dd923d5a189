namespace CoAP.Options;

/// <summary>An option of a message: a number and a value (RFC 7252, section 5.10). Immutable.</summary>
public abstract record CoapOption
{
    /// <summary>Creates an option with a number.</summary>
    /// <param name="number">0 to 65,535. The lowest bits tell receivers that do not know the option how to treat it (RFC 7252, section 5.4.6).</param>
    /// <exception cref="ArgumentOutOfRangeException">The number is not in the range.</exception>
    protected CoapOption(int number)
    {
        if ((uint)number > OptionNumber.Max)
        {
            throw new ArgumentOutOfRangeException(nameof(number), number, $"The option number is {number}; 0 to 65,535 are allowed (RFC 7252, section 3.1).");
        }
        Number = number;
    }

    /// <summary>The option number, 0 to 65,535.</summary>
    public int Number { get; }

    /// <summary>Whether receivers that do not know the option must reject the message (RFC 7252, section 5.4.1).</summary>
    public bool IsCritical => OptionNumber.IsCritical(Number);

    /// <summary>Whether proxies that do not know the option must not forward it (RFC 7252, section 5.4.2).</summary>
    public bool IsUnsafe => OptionNumber.IsUnsafe(Number);

    /// <summary>Whether the option is not part of the cache key (RFC 7252, section 5.4.2).</summary>
    public bool IsNoCacheKey => OptionNumber.IsNoCacheKey(Number);

    /// <summary>Whether a message may carry the option more than once (RFC 7252, section 5.4.5).</summary>
    public virtual bool IsRepeatable => false;

    /// <summary>The length of the value on the wire in bytes, at most 65,804.</summary>
    public abstract int ValueLength { get; }

    /// <summary>Writes the value to the start of <paramref name="destination"/>, which holds at least <see cref="ValueLength"/> bytes.</summary>
    public abstract void WriteValue(Span<byte> destination);

    /// <summary>The value as text for <see cref="ToString"/> and for logs. Default: the bytes of the value in hexadecimal.</summary>
    protected virtual string ValueText
    {
        get
        {
            var value = new byte[ValueLength];
            WriteValue(value);
            return Convert.ToHexStringLower(value);
        }
    }

    /// <summary>Returns the type name and the value, opaque values in hexadecimal: "UriPath: hello".</summary>
    public sealed override string ToString() => $"{GetType().Name}: {ValueText}";
}
