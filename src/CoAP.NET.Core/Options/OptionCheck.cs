using System.Numerics;

namespace CoAP.Options;

/// <summary>Finds critical options that the receiver does not recognize (RFC 7252, section 5.4.1).</summary>
internal static class OptionCheck
{
    private static readonly int IfMatchNumber = IfMatch.Declaration.Number;

    // Options that are not defined for responses are unrecognized in them (RFC 7252, section 5.4). Elective ones are ignored in any case.
    private static readonly ulong RequestsOnly =
        BitOf(IfMatch.Declaration) | BitOf(UriHost.Declaration) | BitOf(IfNoneMatch.Declaration) | BitOf(UriPort.Declaration)
        | BitOf(UriPath.Declaration) | BitOf(UriQuery.Declaration) | BitOf(Accept.Declaration)
        | BitOf(ProxyUri.Declaration) | BitOf(ProxyScheme.Declaration);

    private static readonly ulong ResponsesOnly = BitOf(LocationPath.Declaration) | BitOf(LocationQuery.Declaration) | BitOf(MaxAge.Declaration);

    /// <summary>Throws if an option is not defined for requests (RFC 7252, section 5.4).</summary>
    public static OptionSet OfRequest(in OptionSet options) => (options.Seen & ResponsesOnly) == 0
        ? options
        : throw new ArgumentException($"Option {First(options, ResponsesOnly)} is not defined for requests (RFC 7252, section 5.4).", nameof(options));

    /// <summary>Throws if an option is not defined for responses (RFC 7252, section 5.4), or if there are two ETags (section 5.10.6.1).</summary>
    public static OptionSet OfResponse(in OptionSet options)
    {
        if ((options.Seen & RequestsOnly) != 0)
        {
            throw new ArgumentException($"Option {First(options, RequestsOnly)} is not defined for responses (RFC 7252, section 5.4).", nameof(options));
        }
        if ((options.Seen & BitOf(RequestTag.Declaration)) != 0 && options.Contains<RequestTag>())
        {
            throw new ArgumentException("A response has no Request-Tag (RFC 9175, section 3.4).", nameof(options));
        }
        return (options.Seen & BitOf(ETag.Declaration)) == 0 || options.CountOf(ETag.Declaration.Number) < 2 || options.GetAll<ETag>().Count < 2
            ? options
            : throw new ArgumentException("A response has at most one ETag (RFC 7252, section 5.10.6.1).", nameof(options));
    }

    /// <summary>
    /// Finds a critical option that has no declaration, has a wrong value (RFC 7252, section 5.4.3), is repeated without permission
    /// or too often (section 5.4.5) or is not defined for responses (section 5.4). Ignores elective options. Allocates nothing.
    /// </summary>
    /// <param name="options">The options of a message.</param>
    /// <param name="registry">The known options.</param>
    /// <param name="code">The code of the message. It determines the number space.</param>
    /// <param name="number">The number of the option, or -1 if there is none.</param>
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
        var (previous, count) = (-1, 0);
        for (var reader = options.Read(); reader.Next(); previous = reader.Number)
        {
            if (!OptionNumber.IsCritical(reader.Number)) { continue; }
            count = reader.Number == previous ? count + 1 : 1;
            if (!space.TryFind(reader.Number, out var declaration)
                || (count > 1 && (!declaration.IsRepeatable || count > MostOf(reader.Number)))
                || !declaration.IsValid(reader.Value))
            {
                number = reader.Number;
                return true;
            }
        }
        return false;
    }

    /// <summary>Returns the rule that an option breaks, as the end of a sentence. The option is the one that <see cref="FindUnrecognizedCritical"/> has found.</summary>
    public static string Explain(in OptionSet options, OptionRegistry registry, CoapCode code, int number)
    {
        if (!registry.Space(code).TryFind(number, out var declaration)) { return $"critical option {number} is unknown (RFC 7252, section 5.4.1)"; }
        var name = $"critical option {number} ({declaration.Name})";
        var count = 0;
        for (var reader = options.Read(); reader.Next();)
        {
            if (reader.Number != number) { continue; }
            count++;
            if (count > MostOf(number)) { return $"{name} occurs more than {MostOf(number)} times (RFC 7252, section 5.4.5)"; }
            if (!declaration.IsValid(reader.Value)) { return $"the value of {name}, {reader.Value.Length} bytes, is not allowed (RFC 7252, section 5.4.3)"; }
        }
        return count > 1 && !declaration.IsRepeatable
            ? $"{name} must not be repeated (RFC 7252, section 5.4.5)"
            : $"{name} is not defined for code {code} (RFC 7252, section 5.4)";
    }

    // How often a repeatable option may occur. Each occurrence costs work, which a few bytes of a forged message must not multiply.
    private static int MostOf(int number) => number == IfMatchNumber ? IfMatch.MaxRepeated : BlockOption.MostOf(number);

    private static int First(in OptionSet options, ulong bits) => BitOperations.TrailingZeroCount(options.Seen & bits);

    private static ulong BitOf(OptionDeclaration declaration) => OptionNumber.SeenBit(declaration.Number);
}
