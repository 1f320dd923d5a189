namespace CoAP;

/// <summary>How long a token of a stateless request may be used, and how many there may be at a time (RFC 8974, section 3.1).</summary>
public sealed record StatelessTokenSettings
{
    /// <summary>How long after the request a response is taken; 247 seconds by default, up to 1 day.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive, or longer than 1 day.</exception>
    public TimeSpan Lifetime
    { get; init => field = Bound.Within(value, TimeSpan.FromTicks(1), TimeSpan.FromDays(1)); } = TimeSpan.FromSeconds(247);

    /// <summary>The tokens, counted from the last one made, of which each is taken once; 4,096 by default. Older ones are not taken. Costs a bit each.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 64 or more than 1,048,576.</exception>
    public int ReplayWindow { get; init => field = Bound.Within(value, 64, 1 << 20); } = 4096;

    /// <summary>The longest state that is put into a token, in bytes; 256 by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or more than 65,536.</exception>
    public int MaxStateLength { get; init => field = Bound.Within(value, 0, 65_536); } = 256;
}
