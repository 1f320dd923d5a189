namespace CoAP.Options;

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
