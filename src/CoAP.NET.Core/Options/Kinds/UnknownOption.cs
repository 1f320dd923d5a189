namespace CoAP.Options;

/// <summary>An option without a declaration, or with a value that its declaration does not allow. It is written as it was read.</summary>
/// <param name="Number">The option number, 0 to 65,535.</param>
/// <param name="Value">The value, at most 65,804 bytes. It is not copied.</param>
public sealed record UnknownOption(int Number, ReadOnlyMemory<byte> Value) : OpaqueOption(Number, InRange(Value))
{
    /// <inheritdoc/>
    protected override string ValueText => $"{Number} {base.ValueText}";

    private static ReadOnlyMemory<byte> InRange(ReadOnlyMemory<byte> value)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(value.Length, OptionFormat.MaxValueLength, nameof(Value));
        return value;
    }
}
