using static CoAP.Options.OptionDeclaration;

namespace CoAP.Options;

/// <summary>Indicates that the payload starts with an EDHOC message, followed by the protected one (RFC 9668, section 3.1).</summary>
public sealed record Edhoc() : EmptyOption(Declaration), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = Empty(21, "EDHOC", () => new Edhoc());
}
