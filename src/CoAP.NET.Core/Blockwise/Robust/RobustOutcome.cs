namespace CoAP.Blockwise;

/// <summary>How a robust transfer stands after a message: it goes on, is complete, or has ended for a reason that has a code.</summary>
internal readonly record struct RobustOutcome
{
    private RobustOutcome(RobustState state, CoapCode code) => (State, Code) = (state, code);

    public static RobustOutcome Continue => default;

    public static RobustOutcome Complete => new(RobustState.Complete, default);

    public RobustState State { get; }

    /// <summary>Why it has ended; empty otherwise.</summary>
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
/// <summary>What the receiver of a body tells its sender.</summary>
internal enum RobustAskKind
{
    /// <summary>Nothing now.</summary>
    None,

    /// <summary>Everything before a block is there and the next set may come (RFC 9177, section 7.2).</summary>
    Continue,

    /// <summary>Blocks are missing.</summary>
    Missing,

    /// <summary>Nothing of the body has come at all.</summary>
    Everything,

    /// <summary>Too many questions went unanswered: the body is given up.</summary>
    GiveUp,
}

/// <summary>What the receiver of a body tells its sender, and about which blocks.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Next">The first block of the next set, with <see cref="RobustAskKind.Continue"/>.</param>
/// <param name="Numbers">The missing blocks in ascending order, with <see cref="RobustAskKind.Missing"/>.</param>
internal readonly record struct RobustAsk(RobustAskKind Kind, int Next, int[] Numbers)
{
    public static RobustAsk None => new(RobustAskKind.None, 0, []);
}
