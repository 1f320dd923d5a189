using static CoAP.Options.OptionDeclaration;

namespace CoAP.Options;

/// <summary>The OSCORE context that protects the message; also in signaling messages (RFC 8613, sections 2 and 13.3).</summary>
/// <param name="Value">0 to 255 bytes.</param>
public sealed record Oscore(ReadOnlyMemory<byte> Value) : OpaqueOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = Opaque(9, "OSCORE", 0, 255, value => new Oscore(value)).InEverySpace();
}
