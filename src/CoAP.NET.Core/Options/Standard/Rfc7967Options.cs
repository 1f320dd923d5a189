using static CoAP.Options.OptionDeclaration;

namespace CoAP.Options;

/// <summary>The classes of responses that the client does not want: the sum of 2 for 2.xx, 8 for 4.xx and 16 for 5.xx (RFC 7967, section 2.1).</summary>
/// <param name="Value">0 to 255.</param>
public sealed record NoResponse(uint Value) : UIntOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(258, "No-Response", 1, value => new NoResponse(value));

    /// <summary>Suppresses all responses: 26.</summary>
    public static NoResponse SuppressAll { get; } = new(26);

    /// <summary>Whether the client wants no response.</summary>
    public bool SuppressesAll => (Value & 26) == 26;

    /// <summary>Whether the client does not want responses of the class of this code. If the option is present and this is
    /// <see langword="false"/>, the client wants the response even to a multicast request.</summary>
    public bool Suppresses(CoapCode code) => code.IsResponse && (Value & (1u << (code.Class - 1))) != 0;
}
