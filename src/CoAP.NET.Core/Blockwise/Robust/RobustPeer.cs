using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>Whether a peer supports Q-Block, as far as it is known, and for how long that holds (RFC 9177, section 4.1). A mutable structure.</summary>
internal struct RobustSupport
{
    private bool _isSupported;
    private long _until;

    /// <summary>Whether it does; nothing where it has to be found out, by a confirmable request.</summary>
    public readonly bool? At(long now) => now < _until ? _isSupported : null;

    /// <summary>Takes in what a confirmable request with Q-Block2 was answered with: a peer that does not know the option has to say 4.02.</summary>
    public void OnAnswer(CoapMessage response, RobustTransferSettings settings, long now)
    {
        // A peer that answers with Block2 understands both kinds and prefers the other one.
        var refuses = response.Code == ResponseCode.BadOption || response.Options.Contains<Block2>();
        Learn(!refuses, settings, now);
    }

    /// <summary>It was answered by a Reset, or not at all.</summary>
    public void OnNoAnswer(RobustTransferSettings settings, long now) => Learn(false, settings, now);

    private void Learn(bool isSupported, RobustTransferSettings settings, long now) =>
        (_isSupported, _until) = (isSupported, now + settings.SupportLifetime.Ticks);
}
internal struct BodyPause
{
    private long _until;

    /// <summary>When the next body may begin.</summary>
    public readonly long StartAt(long now) => Math.Max(now, _until);

    /// <summary>A body begins.</summary>
    /// <param name="length">Its bytes.</param>
    /// <param name="probingRate">PROBING_RATE in bytes a second.</param>
    /// <param name="settings">NON_PROBING_WAIT is the longest pause.</param>
    /// <param name="now">The time.</param>
    public void Begin(long length, double probingRate, RobustTransferSettings settings, long now) =>
        _until = now + (long)Math.Min(length / probingRate * TimeSpan.TicksPerSecond, settings.NonProbingWait.Ticks);

    /// <summary>The peer has sent something, whatever it was.</summary>
    public void Heard() => _until = 0;
}
