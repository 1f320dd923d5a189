using System.Numerics;

namespace CoAP.Options;

/// <summary>Finds what a receiver must not overlook: critical options that it does not recognize (RFC 7252, section 5.4.1).</summary>
internal static class OptionCheck
{
    /// <summary>
    /// Whether a critical option has no declaration, a wrong value (RFC 7252, section 5.4.3) or occurs more often than it may (section 5.4.5).
    /// Elective ones of that kind are left to be ignored. Allocates nothing.
    /// </summary>
    /// <param name="options">The options of a message.</param>
    /// <param name="registry">The options that are recognized.</param>
    /// <param name="code">The message's code, which tells the number space.</param>
    /// <param name="number">One such option; -1 where there is none.</param>
    public static bool FindUnrecognizedCritical(in OptionSet options, OptionRegistry registry, CoapCode code, out int number)
    {
        number = -1;
        var critical = options.Seen & OptionNumber.CriticalBits;
        if (critical == 0) { return false; }
        var space = registry.Space(code);
        var unknown = critical & ~space.KnownBits & ~(1UL << OptionNumber.SharedBit);
        if (unknown != 0)
        {
            number = BitOperations.TrailingZeroCount(unknown);
            return true;
        }
        var previous = -1;
        for (var reader = options.Read(); reader.Next(); previous = reader.Number)
        {
            if (!OptionNumber.IsCritical(reader.Number)) { continue; }
            if (!space.TryFind(reader.Number, out var declaration)
                || (reader.Number == previous && !declaration.IsRepeatable)
                || !declaration.IsValid(reader.Value))
            {
                number = reader.Number;
                return true;
            }
        }
        return false;
    }
}
