using CoAP.Options;

namespace CoAP.Signaling;

/// <summary>What the peer announced in its CSMs so far (RFC 8323, section 5.3; RFC 8974, section 2.2.1).</summary>
internal readonly record struct PeerLimits(uint MaxMessageSize, int MaxTokenLength, bool SupportsBlockWise)
{
    private const int BaseTokenLength = 8;

    // Not even a header without token fits into less.
    private const uint SmallestMessageSize = 2;

    /// <summary>What holds before the first CSM.</summary>
    public static PeerLimits Base => new(Options.MaxMessageSize.Default, BaseTokenLength, SupportsBlockWise: false);

    /// <summary>Whether messages of a body may carry several blocks (RFC 8323, section 5.3.2).</summary>
    public bool SupportsBert => SupportsBlockWise && MaxMessageSize > Options.MaxMessageSize.Default;

    /// <summary>These values with those that the CSM carries; options that it does not carry, or carries with a wrong length, change nothing.</summary>
    /// <param name="csm">The options of the CSM.</param>
    /// <param name="badOption">The number of an option with a value that cannot be processed, otherwise 0 (RFC 8323, section 5.6).</param>
    public PeerLimits With(in OptionSet csm, out int badOption)
    {
        var size = csm.Get<MaxMessageSize>()?.Value ?? MaxMessageSize;
        badOption = size < SmallestMessageSize ? Options.MaxMessageSize.Declaration.Number : 0;
        return new PeerLimits(size, TokenLength(csm), SupportsBlockWise || csm.Get<BlockWiseTransfer>() is not null);
    }

    // Below 8 the option MUST be ignored, above 65,804 it MUST be taken as 65,804 (RFC 8974, section 2.2.1).
    private int TokenLength(in OptionSet csm) =>
        csm.Get<ExtendedTokenLength>() is { Value: >= BaseTokenLength } announced ? (int)Math.Min(announced.Value, Token.MaxLength) : MaxTokenLength;
}
