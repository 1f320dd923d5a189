namespace CoAP.Transports;

/// <summary>What is wrong with the zone of an address.</summary>
/// <param name="Kind">The kind of the problem.</param>
/// <param name="Text">A sentence without a full stop that says what to write instead.</param>
internal readonly record struct ZoneProblem(ZoneProblemKind Kind, string Text);

/// <summary>The kinds of <see cref="ZoneProblem"/>.</summary>
internal enum ZoneProblemKind
{
    /// <summary>A link-local address does not say on which link it is.</summary>
    Missing,

    /// <summary>The address is not link-local, so it has no zone.</summary>
    Meaningless,

    /// <summary>The zone is not a network interface of the machine.</summary>
    Unknown,
}
