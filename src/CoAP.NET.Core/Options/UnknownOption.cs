namespace CoAP.Options;

/// <summary>An option without a declaration, or with a value that breaks the declared limits: kept as it came and written back.</summary>
/// <param name="Number">0 to 65,535.</param>
/// <param name="Value">The bytes; not copied.</param>
public sealed record UnknownOption(int Number, ReadOnlyMemory<byte> Value) : OpaqueOption(InRange(Number), Value)
{
    private static int InRange(int number)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(number);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(number, OptionNumber.Max);
        return number;
    }
}
