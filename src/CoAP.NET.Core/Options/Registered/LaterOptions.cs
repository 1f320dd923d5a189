using static CoAP.Options.OptionDeclaration;

namespace CoAP.Options;

/// <summary>The options of the RFCs that registered one or two each: 7967, 8613, 8768, 9175, 9668.</summary>
internal static class LaterOptions
{
    public static OptionDeclaration[] All =>
        [Oscore.Declaration, HopLimit.Declaration, Edhoc.Declaration, Echo.Declaration, NoResponse.Declaration, RequestTag.Declaration];
}

/// <summary>Says that the message is protected by OSCORE, and with which context; also in signaling (RFC 8613, sections 2 and 13.3).</summary>
/// <param name="Value">0 to 255 bytes.</param>
public sealed record Oscore(ReadOnlyMemory<byte> Value) : OpaqueOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = Opaque(9, "OSCORE", 0, 255, value => new Oscore(value)).InEverySpace();
}

/// <summary>How many more proxies may forward the request; counted down by each (RFC 8768, section 3).</summary>
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

/// <summary>Says that the payload holds an EDHOC message before the protected one (RFC 9668, section 3.1).</summary>
public sealed record Edhoc() : EmptyOption(Declaration), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = Empty(21, "EDHOC", () => new Edhoc());
}

/// <summary>A value that the server wants back to know that the request is fresh (RFC 9175, section 2.2.1).</summary>
/// <param name="Value">1 to 40 bytes.</param>
public sealed record Echo(ReadOnlyMemory<byte> Value) : OpaqueOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = Opaque(252, "Echo", 1, 40, value => new Echo(value));
}

/// <summary>The classes of responses that the client does not want: 2 for 2.xx, 8 for 4.xx, 16 for 5.xx, added up (RFC 7967, section 2.1).</summary>
/// <param name="Value">0 to 255.</param>
public sealed record NoResponse(uint Value) : UIntOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(258, "No-Response", 1, value => new NoResponse(value));

    /// <summary>No interest in any response: 26.</summary>
    public static NoResponse AtAll { get; } = new(26);

    /// <summary>Whether the client wants no response of any class.</summary>
    public bool SuppressesAll => (Value & 26) == 26;

    /// <summary>Whether the client does not want the class that this response code is of. Where the option is there and this is
    /// <see langword="false"/>, it does want it, even from a multicast server that would be silent by itself.</summary>
    public bool Suppresses(CoapCode code) => code.IsResponse && (Value & (1u << (code.Class - 1))) != 0;
}

/// <summary>Keeps the blocks of concurrent request bodies apart (RFC 9175, section 3.2.1).</summary>
/// <param name="Value">0 to 8 bytes.</param>
public sealed record RequestTag(ReadOnlyMemory<byte> Value) : OpaqueOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = Opaque(292, "Request-Tag", 0, 8, value => new RequestTag(value), repeatable: true);
}
