using CoAP.Accounting;
using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>The effect of a block of a request body. A rejected transfer has ended (RFC 7959, section 2.9).</summary>
internal abstract record ReceiveOutcome
{
    /// <summary>2.31: the block was accepted, the next one may follow.</summary>
    /// <param name="Acknowledgement">The Block1 of the response.</param>
    public sealed record Continue(Block1 Acknowledgement) : ReceiveOutcome;

    /// <summary>The body is complete.</summary>
    /// <param name="Body">The bytes of the body.</param>
    /// <param name="Acknowledgement">The Block1 of the final response.</param>
    /// <param name="IsForNew">Whether the first block had If-None-Match, which later blocks must not have (RFC 7959, section 2.10).</param>
    public sealed record Complete(ReadOnlyMemory<byte> Body, Block1 Acknowledgement, bool IsForNew) : ReceiveOutcome
    {
        /// <summary>The charge for the bytes, which the request takes over; <see langword="null"/> if nothing is charged.</summary>
        public BodyCharge? Charge { get; init; }
    }

    /// <summary>The transfer has ended and nothing of it is kept.</summary>
    /// <param name="Code">4.00, 4.08, 4.13 or 5.03.</param>
    /// <param name="Diagnostic">A text for people.</param>
    /// <param name="Hint">Size1 in a 4.13, Max-Age in a 5.03.</param>
    public sealed record Rejected(CoapCode Code, string Diagnostic, CoapOption? Hint = null) : ReceiveOutcome;
}
