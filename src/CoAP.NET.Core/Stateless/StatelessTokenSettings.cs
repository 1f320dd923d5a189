namespace CoAP;

/// <summary>The lifetime and number of the tokens of stateless requests (RFC 8974, section 3.1).</summary>
public sealed record StatelessTokenSettings
{
    /// <summary>The time after a request during which its response is accepted. Default: 247 s; at most 1 day.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The time is not positive or is longer than 1 day.</exception>
    public TimeSpan Lifetime
    { get; init => field = Bound.Within(value, TimeSpan.FromTicks(1), TimeSpan.FromDays(1)); } = TimeSpan.FromSeconds(247);

    /// <summary>The number of most recent tokens that are accepted, each only once. Older tokens are rejected. Each takes one bit. Default: 4,096.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 64 or more than 1,048,576.</exception>
    public int ReplayWindow { get; init => field = Bound.Within(value, 64, 1 << 20); } = 4096;

    /// <summary>The maximum length of the state in a token, in bytes. Default: 256.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative or more than 65,536.</exception>
    public int MaxStateLength { get; init => field = Bound.Within(value, 0, 65_536); } = 256;
}
