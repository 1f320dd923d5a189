namespace CoAP.Options;

/// <summary>One option of a message: a number and a value (RFC 7252, section 5.10). Immutable.</summary>
/// <param name="Number">0 to 65,535; its lowest bits say what the option means to those who do not know it (RFC 7252, section 5.4.6).</param>
public abstract record CoapOption(int Number)
{
    /// <summary>Whether a message with it must not be processed by those who do not understand it (RFC 7252, section 5.4.1).</summary>
    public bool IsCritical => OptionNumber.IsCritical(Number);

    /// <summary>Whether a proxy that does not understand it must not forward it (RFC 7252, section 5.4.2).</summary>
    public bool IsUnsafe => OptionNumber.IsUnsafe(Number);

    /// <summary>Whether it is left out of the cache key (RFC 7252, section 5.4.2).</summary>
    public bool IsNoCacheKey => OptionNumber.IsNoCacheKey(Number);

    /// <summary>Whether a message may carry it more than once (RFC 7252, section 5.4.5).</summary>
    public virtual bool IsRepeatable => false;

    /// <summary>The length of the value on the wire in bytes.</summary>
    public abstract int ValueLength { get; }

    /// <summary>Writes the value to the start of <paramref name="destination"/>, which holds at least <see cref="ValueLength"/> bytes.</summary>
    public abstract void WriteValue(Span<byte> destination);
}

/// <summary>An option with a value of a known type.</summary>
/// <typeparam name="T">The value's type.</typeparam>
public abstract record CoapOption<T> : CoapOption
{
    private protected CoapOption(OptionDeclaration declaration, T value)
        : base(declaration.Number)
    {
        Value = value;
        IsRepeatable = declaration.IsRepeatable;
    }

    // For options without a declaration: nobody said that they may not be repeated.
    private protected CoapOption(int number, T value)
        : base(number)
    {
        Value = value;
        IsRepeatable = true;
    }

    /// <inheritdoc/>
    public sealed override bool IsRepeatable { get; }

    /// <summary>The value.</summary>
    public T Value { get; }
}
