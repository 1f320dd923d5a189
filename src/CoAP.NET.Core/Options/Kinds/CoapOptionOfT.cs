namespace CoAP.Options;

/// <summary>An option with a typed value.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
public abstract record CoapOption<T> : CoapOption
{
    private protected CoapOption(int number, T value, bool isRepeatable)
        : base(number)
    {
        Value = value;
        IsRepeatable = isRepeatable;
    }

    /// <inheritdoc/>
    public sealed override bool IsRepeatable { get; }

    /// <summary>The value.</summary>
    public T Value { get; }

    // A record would use the hash code of the number itself, which everybody knows.

    /// <inheritdoc/>
    public override int GetHashCode() => SeededHash.Combine(Number, SeededComparer<T>.Default.GetHashCode(Value));
}
