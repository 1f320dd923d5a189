namespace CoAP.Blockwise;

/// <summary>The state of a robust transfer after a message: in progress, complete, or ended with a code.</summary>
internal readonly record struct RobustOutcome
{
    private RobustOutcome(RobustState state, CoapCode code) => (State, Code) = (state, code);

    public static RobustOutcome Continue => default;

    public static RobustOutcome Complete => new(RobustState.Complete, default);

    public RobustState State { get; }

    /// <summary>The code with which it has ended; empty otherwise.</summary>
    public CoapCode Code { get; }

    public bool IsContinue => State == RobustState.Continue;

    public bool IsComplete => State == RobustState.Complete;

    public bool IsRejected => State == RobustState.Rejected;

    public static RobustOutcome Rejected(CoapCode code) => new(RobustState.Rejected, code);
}

/// <summary>The kinds of <see cref="RobustOutcome"/>.</summary>
internal enum RobustState
{
    Continue,
    Complete,
    Rejected,
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
