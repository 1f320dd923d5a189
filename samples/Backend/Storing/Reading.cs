namespace Backend;

/// <summary>A reading of a controller.</summary>
/// <param name="Sequence">The number of the reading. A controller never uses a number for two readings.</param>
/// <param name="Time">When the power was read.</param>
/// <param name="Watts">The power that flows into the grid; negative if it is taken from the grid.</param>
internal readonly record struct Reading(long Sequence, DateTimeOffset Time, double Watts)
{
    /// <summary>The largest power in watts, in both directions: a thousand times that of the largest power stations.</summary>
    public const double MaxWatts = 1e13;

    /// <summary>Returns what is wrong with the reading; <see langword="null"/> if the store accepts it.</summary>
    public string? FindFault() => this switch
    {
        { Sequence: < 0 } => $"The sequence is {Sequence}; it must not be negative.",
        { Time.Year: < 2000 or > 2100 } => $"The time is {Time:O}; it must be between the years 2000 and 2100.",
        _ when !(Math.Abs(Watts) <= MaxWatts) => $"The power is {Watts}; it must be between -{MaxWatts} and {MaxWatts} watts.",
        _ => null,
    };
}
