using static CoAP.Options.OptionDeclaration;

namespace CoAP.Options;

/// <summary>The options of RFC 7967, 8613, 8768, 9175 and 9668.</summary>
internal static class LaterOptions
{
    public static OptionDeclaration[] All =>
        [Oscore.Declaration, HopLimit.Declaration, Edhoc.Declaration, Echo.Declaration, NoResponse.Declaration, RequestTag.Declaration];
}

/// <summary>The OSCORE context that protects the message; also in signaling messages (RFC 8613, sections 2 and 13.3).</summary>
/// <param name="Value">0 to 255 bytes.</param>
public sealed record Oscore(ReadOnlyMemory<byte> Value) : OpaqueOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = Opaque(9, "OSCORE", 0, 255, value => new Oscore(value)).InEverySpace();
}

/// <summary>The number of proxies that may still forward the request. Each proxy decrements it (RFC 8768, section 3).</summary>
/// <param name="Value">1 to 255.</param>
public sealed record HopLimit(uint Value) : UIntOption(Declaration, InRange(Value)), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } =
        UInt(16, "Hop-Limit", 1, value => new HopLimit(value), minLength: 1).OnlyIf(value => value[0] != 0);

    private static uint InRange(uint value)
    {
        ArgumentOutOfRangeException.ThrowIfZero(value);
        return value;
    }
}

/// <summary>Indicates that the payload starts with an EDHOC message, followed by the protected one (RFC 9668, section 3.1).</summary>
public sealed record Edhoc() : EmptyOption(Declaration), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = Empty(21, "EDHOC", () => new Edhoc());
}

/// <summary>A value that the client sends back to prove that the request is fresh (RFC 9175, section 2.2.1).</summary>
/// <param name="Value">1 to 40 bytes.</param>
public sealed record Echo(ReadOnlyMemory<byte> Value) : OpaqueOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = Opaque(252, "Echo", 1, 40, value => new Echo(value));
}

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

/// <summary>Distinguishes the blocks of concurrent request bodies (RFC 9175, section 3.2.1).</summary>
/// <param name="Value">0 to 8 bytes.</param>
public sealed record RequestTag(ReadOnlyMemory<byte> Value) : OpaqueOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = Opaque(292, "Request-Tag", 0, 8, value => new RequestTag(value), repeatable: true);
}
