using CoAP.Options;

namespace CoAP.Signaling;

/// <summary>The limits that the peer has announced in its CSMs (RFC 8323, section 5.3; RFC 8974, section 2.2.1).</summary>
internal readonly record struct PeerLimits(uint MaxMessageSize, int MaxTokenLength, bool SupportsBlockWise)
{
    private const int BaseTokenLength = 8;

    // A header without a token already takes two bytes.
    private const uint SmallestMessageSize = 2;

    /// <summary>The limits before the first CSM.</summary>
    public static PeerLimits Base => new(Options.MaxMessageSize.Default, BaseTokenLength, SupportsBlockWise: false);

    /// <summary>Whether a message may contain several blocks of a body (RFC 8323, section 5.3.2).</summary>
    public bool SupportsBert => SupportsBlockWise && MaxMessageSize > Options.MaxMessageSize.Default;

    /// <summary>Returns the limits after a CSM. Options that the CSM does not contain, or contains with a wrong length, change nothing.</summary>
    /// <param name="csm">The options of the CSM.</param>
    /// <param name="badOption">The number of an option whose value cannot be processed, or 0 (RFC 8323, section 5.6).</param>
    public PeerLimits With(in OptionSet csm, out int badOption)
    {
        var size = csm.Get<MaxMessageSize>()?.Value ?? MaxMessageSize;
        badOption = size < SmallestMessageSize ? Options.MaxMessageSize.Declaration.Number : 0;
        return new PeerLimits(size, TokenLength(csm), SupportsBlockWise || csm.Get<BlockWiseTransfer>() is not null);
    }

    // A value below 8 MUST be ignored; one above 65,804 MUST be treated as 65,804 (RFC 8974, section 2.2.1).
    private int TokenLength(in OptionSet csm) =>
        csm.Get<ExtendedTokenLength>() is { Value: >= BaseTokenLength } announced ? (int)Math.Min(announced.Value, Token.MaxLength) : MaxTokenLength;
}
