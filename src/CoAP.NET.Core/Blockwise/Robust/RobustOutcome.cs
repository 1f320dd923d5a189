namespace CoAP.Blockwise;

/// <summary>The state of a robust transfer after a message: in progress, complete, or ended with a code.</summary>
/// <param name="IsOver">Whether it has ended.</param>
/// <param name="Code">The code with which it has ended; empty if it is in progress or complete.</param>
internal readonly record struct RobustOutcome(bool IsOver, CoapCode Code)
{
    public static RobustOutcome Continue => default;

    public static RobustOutcome Complete => new(true, CoapCode.Empty);

    public bool IsContinue => !IsOver;

    public bool IsComplete => IsOver && Code.IsEmpty;

    public bool IsRejected => IsOver && !Code.IsEmpty;

    public static RobustOutcome Rejected(CoapCode code) => new(true, code);
}

/// <summary>The kind of message from the receiver of a body to its sender.</summary>
internal enum RobustAskKind
{
    /// <summary>No message now.</summary>
    None,

    /// <summary>All blocks before a block have arrived, and the next set may follow (RFC 9177, section 7.2).</summary>
    Continue,

    /// <summary>Blocks are missing.</summary>
    Missing,

    /// <summary>No block of the body has arrived.</summary>
    Everything,

    /// <summary>Too many requests for missing blocks were not answered: the body is given up.</summary>
    GiveUp,
}

/// <summary>A message from the receiver of a body to its sender.</summary>
/// <param name="Kind">The kind of message.</param>
/// <param name="Next">With <see cref="RobustAskKind.Continue"/>, the first block of the next set.</param>
/// <param name="Numbers">With <see cref="RobustAskKind.Missing"/>, the missing blocks in ascending order.</param>
internal readonly record struct RobustAsk(RobustAskKind Kind, int Next, int[] Numbers)
{
    public static RobustAsk None => new(RobustAskKind.None, 0, []);
}
