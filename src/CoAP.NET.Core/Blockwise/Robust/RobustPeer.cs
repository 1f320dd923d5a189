using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>The knowledge whether a peer supports Q-Block, with an expiry (RFC 9177, section 4.1). A mutable structure.</summary>
internal struct RobustSupport
{
    private bool _isSupported;
    private long _until;

    /// <summary>Returns whether the peer supports it, or <see langword="null"/> if a confirmable request has to find out.</summary>
    public readonly bool? At(long now) => now < _until ? _isSupported : null;

    /// <summary>Called with the response to a confirmable request with Q-Block2. Only a successful response with Q-Block2 shows the support.</summary>
    /// <remarks>
    /// A peer that does not know the option must answer 4.02, but some ignore unknown critical options. They would handle each block of a body as a
    /// whole request. libcoap without Q-Block copies the option into its 4.02. A peer that answers with Block2 may support both, and prefers Block2.
    /// A response with both is wrong. Any other response leaves the question open.
    /// </remarks>
    public void OnAnswer(CoapMessage response, RobustTransferSettings settings, long now)
    {
        var isSupported = response.Code.IsSuccess && response.Options.Contains<QBlock2>() && !RobustRules.IsMixed(response.Options);
        if (isSupported || response.Code == ResponseCode.BadOption || response.Options.Contains<Block2>()) { Learn(isSupported, settings, now); }
    }

    /// <summary>Called when the request was rejected with a Reset, not answered, or answered without Q-Block2 although the body had several blocks.</summary>
    public void OnNoAnswer(RobustTransferSettings settings, long now) => Learn(false, settings, now);

    private void Learn(bool isSupported, RobustTransferSettings settings, long now) =>
        (_isSupported, _until) = (isSupported, now + settings.SupportLifetime.Ticks);
}
internal struct BodyPause
{
    private long _until;

    /// <summary>The time at which the next body may start.</summary>
    public readonly long StartAt(long now) => Math.Max(now, _until);

    /// <summary>Called when a body starts.</summary>
    /// <param name="length">Its length in bytes.</param>
    /// <param name="probingRate">PROBING_RATE in bytes per second.</param>
    /// <param name="settings">The settings; NON_PROBING_WAIT is the longest pause.</param>
    /// <param name="now">The time.</param>
    public void Begin(long length, double probingRate, RobustTransferSettings settings, long now) =>
        _until = now + (long)Math.Min(length / probingRate * TimeSpan.TicksPerSecond, settings.NonProbingWait.Ticks);

    /// <summary>Called when the peer has sent anything.</summary>
    public void Heard() => _until = 0;
}
