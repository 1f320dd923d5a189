namespace CoAP;

/// <summary>How much of a limit is in use.</summary>
/// <param name="Used">The amount in use.</param>
/// <param name="Limit">The limit.</param>
public readonly record struct LimitUsage(long Used, long Limit)
{
    /// <summary>The part of the limit that is in use: 0 to 1.</summary>
    public double Fraction => Limit == 0 ? 0 : (double)Used / Limit;
}
