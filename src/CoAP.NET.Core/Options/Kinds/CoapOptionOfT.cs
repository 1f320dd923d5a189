namespace CoAP.Options;

/// <summary>An option with a typed value.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
public abstract record CoapOption<T> : CoapOption
{
    private protected CoapOption(OptionDeclaration declaration, T value)
        : base(declaration.Number)
    {
        Value = value;
        IsRepeatable = declaration.IsRepeatable;
    }

    // An option without a declaration may be repeated: no rule forbids it.
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
