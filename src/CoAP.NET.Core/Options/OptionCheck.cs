using System.Numerics;

namespace CoAP.Options;

/// <summary>Finds what a receiver must not overlook: critical options that it does not recognize (RFC 7252, section 5.4.1).</summary>
internal static class OptionCheck
{
    // What responses are not defined to have counts in them as unrecognized (RFC 7252, section 5.4). Elective ones are ignored either way.
    private static readonly ulong RequestsOnly =
        BitOf(IfMatch.Declaration) | BitOf(UriHost.Declaration) | BitOf(IfNoneMatch.Declaration) | BitOf(UriPort.Declaration)
        | BitOf(UriPath.Declaration) | BitOf(UriQuery.Declaration) | BitOf(Accept.Declaration)
        | BitOf(ProxyUri.Declaration) | BitOf(ProxyScheme.Declaration);

    /// <summary>
    /// Whether a critical option has no declaration, a wrong value (RFC 7252, section 5.4.3), occurs more often than it may (section 5.4.5) or
    /// has no place in a response (section 5.4).
    /// Elective ones of that kind are left to be ignored. Allocates nothing.
    /// </summary>
    /// <param name="options">The options of a message.</param>
    /// <param name="registry">The options that are recognized.</param>
    /// <param name="code">The message's code, which tells the number space, and requests from responses.</param>
    /// <param name="number">One such option; -1 where there is none.</param>
    public static bool FindUnrecognizedCritical(in OptionSet options, OptionRegistry registry, CoapCode code, out int number)
    {
        number = -1;
        var critical = options.Seen & OptionNumber.CriticalBits;
        if (critical == 0) { return false; }
        var space = registry.Space(code);
        var known = code.IsResponse ? space.KnownBits & ~RequestsOnly : space.KnownBits;
        var unknown = critical & ~known & ~(1UL << OptionNumber.SharedBit);
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

    private static ulong BitOf(OptionDeclaration declaration) => OptionNumber.SeenBit(declaration.Number);
}
