namespace CoAP.Options;

/// <summary>
/// The data of tracing systems that travels with a trace (W3C Trace Context, "tracestate"). Its number is 65052, from the range for experiments
/// (65000 to 65535; RFC 7252, section 12.2).
/// </summary>
/// <remarks>The number has the same properties as that of <see cref="TraceParent"/>.</remarks>
/// <param name="Value">1 to 512 bytes: members "key=value", separated by commas, the most recent first.</param>
public sealed record TraceState(string Value) : StringOption(Declaration, Value), IDeclaredOption
{
    private const int MaxLength = 512;

    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = OptionDeclaration.String(65_052, "Trace-State", 1, MaxLength, value => new TraceState(value));

    /// <summary>Returns the option for a list of members.</summary>
    /// <remarks>
    /// Leaves out members if the list has more than 32 of them or is longer than 512 bytes: first those of more than 128 bytes, and then the last ones.
    /// </remarks>
    /// <param name="members">The members; <see langword="null"/> or "" for none.</param>
    /// <returns><see langword="null"/> if there is no member, or the list is malformed or contains a key twice.</returns>
    public static TraceState? Of(string? members) => TraceStateMembers.Shorten(members) is { } state ? new TraceState(state) : null;
}
