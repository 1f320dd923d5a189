using static CoAP.Options.OptionDeclaration;

namespace CoAP.Options;

/// <summary>The number of proxies that may still forward the request. Each proxy decrements it (RFC 8768, section 3).</summary>
/// <param name="Value">1 to 255.</param>
public sealed record HopLimit(uint Value) : UIntOption(Declaration, Declaration.Within(Value, 1, 255)), IDeclaredOption
{
    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } =
        UInt(16, "Hop-Limit", 1, value => new HopLimit(value), minLength: 1).OnlyIf(value => value[0] != 0);

    /// <summary>
    /// Returns what is wrong with the Hop-Limit of a request, or <see langword="null"/>. A wrong value of another elective option is
    /// ignored, but a request with a wrong Hop-Limit must be refused (RFC 8768, section 3). Only the first one counts (RFC 7252, section
    /// 5.4.5).
    /// </summary>
    internal static string? Explain(in OptionSet options)
    {
        if ((options.Seen & OptionNumber.SeenBit(Declaration.Number)) == 0) { return null; }
        for (var reader = options.Read(); reader.Next();)
        {
            if (reader.Number != Declaration.Number) { continue; }
            if (Declaration.IsValid(reader.Value)) { return null; }
            var isNumber = reader.Value.Length <= sizeof(uint) && UIntOption.Read(reader.Value) is 0 or > byte.MaxValue;
            return isNumber
                ? $"Hop-Limit (option 16) is {UIntOption.Read(reader.Value)}; 1 to 255 are allowed (RFC 8768, section 3)."
                : $"Hop-Limit (option 16) has {reader.Value.Length} bytes; it has one byte (RFC 8768, section 3).";
        }
        return null;
    }
}
