namespace CoAP;

/// <content>How fresh requests to the resource have to be.</content>
public sealed partial class Resource
{
    private long _maxRequestAge;

    /// <summary>The age that a request may have; nothing where that does not matter.</summary>
    internal TimeSpan? MaxRequestAge => Interlocked.Read(ref _maxRequestAge) is > 0 and var ticks ? TimeSpan.FromTicks(ticks) : null;

    /// <summary>
    /// Has requests, whatever their method, handled only where they were surely sent within this time: any other is answered with a 4.01
    /// that holds an Echo option, and the client sends it again with that option (RFC 9175, section 2.3).
    /// </summary>
    /// <remarks>
    /// Each block of a body that comes block-wise has to be fresh. What it is worth depends on the transport: without DTLS, TLS or OSCORE
    /// it only shows that the client receives what is sent to its address (RFC 9175, section 2.3). A further call replaces the time; an Echo
    /// value is worth nothing once its key is gone, see <see cref="FreshnessSettings.KeyLifetime"/>.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public Resource RequiresFreshness(TimeSpan maxAge)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(maxAge, TimeSpan.Zero);
        Interlocked.Exchange(ref _maxRequestAge, maxAge.Ticks);
        _map.NeedsFreshness = true;
        return this;
    }
}
