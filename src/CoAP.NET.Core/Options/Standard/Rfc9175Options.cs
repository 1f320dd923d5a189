using static CoAP.Options.OptionDeclaration;

namespace CoAP.Options;

/// <summary>A value that the client sends back to prove that the request is fresh (RFC 9175, section 2.2.1).</summary>
/// <param name="Value">1 to 40 bytes.</param>
public sealed record Echo(ReadOnlyMemory<byte> Value) : OpaqueOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = Opaque(252, "Echo", 1, 40, value => new Echo(value));
}

/// <summary>Distinguishes the blocks of concurrent request bodies (RFC 9175, section 3.2.1).</summary>
/// <param name="Value">0 to 8 bytes.</param>
public sealed record RequestTag(ReadOnlyMemory<byte> Value) : OpaqueOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = Opaque(292, "Request-Tag", 0, 8, value => new RequestTag(value), repeatable: true);
}
