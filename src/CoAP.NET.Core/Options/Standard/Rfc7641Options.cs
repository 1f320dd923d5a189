using static CoAP.Options.OptionDeclaration;

namespace CoAP.Options;

/// <summary>In a request: register (0) or deregister (1). In a notification: its sequence number (RFC 7641, section 2).</summary>
/// <param name="Value">0 to 16,777,215.</param>
public sealed record Observe(uint Value) : UIntOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(6, "Observe", 3, value => new Observe(value));
}
