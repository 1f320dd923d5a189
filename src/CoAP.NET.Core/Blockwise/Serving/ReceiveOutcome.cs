using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>What a block of a request's body leads to. There is no fourth: a transfer that was rejected has ended (RFC 7959, section 2.9).</summary>
internal abstract record ReceiveOutcome
{
    private ReceiveOutcome()
    {
    }

    /// <summary>2.31: the block is taken, the next one may come.</summary>
    /// <param name="Acknowledgement">The Block1 of the answer.</param>
    public sealed record Continue(Block1 Acknowledgement) : ReceiveOutcome;

    /// <summary>The body is whole.</summary>
    /// <param name="Body">Its bytes.</param>
    /// <param name="Acknowledgement">The Block1 of the final answer.</param>
    /// <param name="IsForNew">Whether the first block had If-None-Match, which the others may not have (RFC 7959, section 2.10).</param>
    public sealed record Complete(ReadOnlyMemory<byte> Body, Block1 Acknowledgement, bool IsForNew) : ReceiveOutcome;

    /// <summary>The transfer has ended, and nothing of it is kept.</summary>
    /// <param name="Code">4.00, 4.08, 4.13 or 5.03.</param>
    /// <param name="Diagnostic">What was wrong, for people.</param>
    /// <param name="Hint">Size1 in a 4.13, Max-Age in a 5.03.</param>
    public sealed record Rejected(CoapCode Code, string Diagnostic, CoapOption? Hint = null) : ReceiveOutcome;
}
