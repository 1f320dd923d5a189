namespace CoAP.Dtls;

/// <summary>Bounds the hellos for which a lane computes cookies, so that a flood of them leaves time for the sessions.</summary>
/// <remarks>
/// Forged hellos cannot be told from honest ones. Without a bound, each costs several times as much as a record that is dropped, and the socket overflows. A client
/// repeats a hello that was dropped. A mutable structure: a field of this type must not be readonly.
/// </remarks>
internal struct HelloBudget
{
    /// <summary>The number of hellos in one period: about a fifth of a processor's time.</summary>
    public const int PerPeriod = 256;

    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(10);

    private TimeSpan _start;
    private int _taken;

    /// <summary>Takes one hello from the budget of the current period. Returns <see langword="false"/> if it is used up.</summary>
    public bool TryTake(TimeSpan now)
    {
        if (now - _start >= Period) { (_start, _taken) = (now, 0); }
        return ++_taken <= PerPeriod;
    }
}
