using static CoAP.Options.OptionDeclaration;

namespace CoAP.Options;

/// <summary>The largest message that the sender of the CSM accepts, in bytes (RFC 8323, section 5.3.1). Default: 1,152.</summary>
/// <param name="Value">The size in bytes.</param>
public sealed record MaxMessageSize(uint Value) : UIntOption(Declaration, Value), IDeclaredOption
{
    /// <summary>The value until a CSM changes it, in bytes.</summary>
    public const uint Default = 1152;

    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(2, "Max-Message-Size", 4, value => new MaxMessageSize(value), spaces: [SignalCode.Csm]);
}

/// <summary>Indicates that the sender of the CSM supports block-wise transfers (RFC 8323, section 5.3.2).</summary>
public sealed record BlockWiseTransfer() : EmptyOption(Declaration), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = Empty(4, "Block-Wise-Transfer", () => new BlockWiseTransfer(), SignalCode.Csm);
}

/// <summary>The longest token that the sender of the CSM accepts in requests, in bytes (RFC 8974, section 2.2.1). Default: 8.</summary>
/// <param name="Value">8 to 65,804 bytes.</param>
public sealed record ExtendedTokenLength(uint Value) : UIntOption(Declaration, Declaration.Within(Value, Default, Max)), IDeclaredOption
{
    /// <summary>The value until a CSM changes it, in bytes.</summary>
    public const uint Default = 8;

    /// <summary>The value that larger ones are reduced to, in bytes.</summary>
    private const uint Max = Token.MaxLength;

    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } =
        UInt(6, "Extended-Token-Length", 3, value => new ExtendedTokenLength(Math.Min(value, Max)), spaces: [SignalCode.Csm])
            .OnlyIf(value => UIntOption.Read(value) >= Default);
}

/// <summary>In a Ping: asks to delay the Pong until earlier messages are processed. In a Pong: confirms it (RFC 8323, section 5.4.1).</summary>
public sealed record Custody() : EmptyOption(Declaration), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = Empty(2, "Custody", () => new Custody(), SignalCode.Ping, SignalCode.Pong);
}

/// <summary>The address to connect to after a Release (RFC 8323, section 5.5).</summary>
/// <param name="Value">An authority, 1 to 255 bytes in UTF-8.</param>
public sealed record AlternativeAddress(string Value) : StringOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } =
        String(2, "Alternative-Address", 1, 255, value => new AlternativeAddress(value), repeatable: true, SignalCode.Release);
}

/// <summary>The time to wait before connecting again after a Release, in seconds (RFC 8323, section 5.5).</summary>
/// <param name="Value">0 to 16,777,215 seconds.</param>
public sealed record HoldOff(uint Value) : UIntOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(4, "Hold-Off", 3, value => new HoldOff(value), spaces: [SignalCode.Release]);
}

/// <summary>The number of the CSM option that the peer could not process (RFC 8323, section 5.6).</summary>
/// <param name="Value">An option number.</param>
public sealed record BadCsmOption(uint Value) : UIntOption(Declaration, Value), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = UInt(2, "Bad-CSM-Option", 2, value => new BadCsmOption(value), spaces: [SignalCode.Abort]);
}
