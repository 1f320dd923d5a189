namespace CoAP.Observing;

/// <summary>Tells notifications that are newer than the newest one from those that were overtaken on their way (RFC 7641, section 3.4).</summary>
/// <remarks>A mutable structure: keep it in a field that is not read-only. Times are ticks of 100 ns.</remarks>
internal struct NotificationFilter
{
    // 2^23: half of what the option can tell, so that numbers may wrap around (RFC 7641, section 3.4).
    private const uint Half = 1 << 23;

    private static readonly long ForgottenAfter = TimeSpan.FromSeconds(128).Ticks;

    private uint _newest;
    private long _newestAt;
    private bool _hasNewest;

    /// <summary>Whether the notification is the newest so far; if so, the next one is measured by it.</summary>
    public bool TryPass(uint sequence, long now)
    {
        if (_hasNewest && !IsNewer(sequence, now)) { return false; }
        Restart(sequence, now);
        return true;
    }

    /// <summary>Measures what comes by this one, whatever came before: a server that was restarted may count from the beginning.</summary>
    public void Restart(uint sequence, long now) => (_newest, _newestAt, _hasNewest) = (sequence, now, true);

    private readonly bool IsNewer(uint sequence, long now) =>
        (_newest < sequence && sequence - _newest < Half)
        || (_newest > sequence && _newest - sequence > Half)
        || now > _newestAt + ForgottenAfter;
}
