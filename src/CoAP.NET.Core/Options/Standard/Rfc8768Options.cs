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
    /// ignored, but a request with a Hop-Limit of 0 or more than 255 must be refused (RFC 8768, section 3). One of 1 to 255 in more than a
    /// byte is ignored, as is any elective option with a wrong length (RFC 7252, section 5.4.3). Only the first one counts (section 5.4.5).
    /// </summary>
    internal static string? Explain(in OptionSet options)
    {
        if ((options.Seen & OptionNumber.SeenBit(Declaration.Number)) == 0) { return null; }
        for (var reader = options.Read(); reader.Next();)
        {
            if (reader.Number != Declaration.Number) { continue; }
            var value = reader.Value.TrimStart((byte)0);
            if (value.Length == 1) { return null; }
            var shown = value.Length <= sizeof(uint) ? $"{UIntOption.Read(value)}" : $"a number of {value.Length} bytes";
            return $"Hop-Limit (option 16) is {shown}; 1 to 255 are allowed (RFC 8768, section 3).";
        }
        return null;
    }
}
