using static CoAP.Options.OptionDeclaration;

namespace CoAP.Options;

/// <summary>The number of proxies that may still forward the request. Each proxy decrements it (RFC 8768, section 3).</summary>
/// <param name="Value">1 to 255.</param>
public sealed record HopLimit(uint Value) : UIntOption(Declaration, Declaration.Within(Value, 1, 255)), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } =
        UInt(16, "Hop-Limit", 1, value => new HopLimit(value), minLength: 1).OnlyIf(value => value[0] != 0);
}
