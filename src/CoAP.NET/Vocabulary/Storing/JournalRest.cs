namespace CoAP;

/// <summary>
/// How long further changes wait after a journal has written. A store may have to write everything for each change, and peers decide how
/// often something changes.
/// </summary>
/// <param name="Time">The clock.</param>
/// <param name="Factor">The rest is so many times as long as the writing.</param>
/// <param name="Longest">The longest rest.</param>
internal sealed record JournalRest(TimeProvider Time, int Factor, TimeSpan Longest)
{
    public TimeSpan After(TimeSpan writing) => writing < Longest / Factor ? writing * Factor : Longest;
}
