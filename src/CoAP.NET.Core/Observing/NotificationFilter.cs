namespace CoAP.Observing;

/// <summary>Detects notifications that are older than the newest one (RFC 7641, section 3.4).</summary>
/// <remarks>A mutable structure. A field of this type must not be readonly. Times are ticks of 100 ns.</remarks>
internal struct NotificationFilter
{
    // 2^23: half of the range of the option, so that numbers may wrap around (RFC 7641, section 3.4).
    private const uint Half = 1 << 23;

    private static readonly long ForgottenAfter = TimeSpan.FromSeconds(128).Ticks;

    private uint _newest;
    private long _newestAt;
    private bool _hasNewest;

    /// <summary>Returns whether the notification is the newest one. If so, later ones are compared with it.</summary>
    public bool TryPass(uint sequence, long now)
    {
        if (_hasNewest && !IsNewer(sequence, now)) { return false; }
        Restart(sequence, now);
        return true;
    }

    /// <summary>Compares later notifications with this one, whatever came before: a restarted server may count from the beginning.</summary>
    public void Restart(uint sequence, long now) => (_newest, _newestAt, _hasNewest) = (sequence, now, true);

    private readonly bool IsNewer(uint sequence, long now) =>
        (_newest < sequence && sequence - _newest < Half)
        || (_newest > sequence && _newest - sequence > Half)
        || now > _newestAt + ForgottenAfter;
}
