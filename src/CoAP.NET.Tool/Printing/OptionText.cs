using System.Globalization;
using CoAP.Options;

namespace CoAP.Tool.Printing;

/// <summary>Options as people read them: "Content-Format: application/json".</summary>
internal static class OptionText
{
    private const int LongestOpaque = 64;

    public static string NameOf(CoapOption option, CoapCode code) =>
        OptionRegistry.Default.TryFind(option.Number, code, out var declaration) ? declaration!.Name : $"Option {option.Number}";

    public static string ValueOf(CoapOption option) => option switch
    {
        ContentFormat format => FormatName.Of(format.Value),
        Accept format => FormatName.Of(format.Value),
        BlockOption block => string.Create(CultureInfo.InvariantCulture, $"{block.BlockNumber}/{(block.HasMore ? 1 : 0)}/{SizeOf(block)}"),
        UIntOption number => number.Value.ToString(CultureInfo.InvariantCulture),
        StringOption text => Printable.Of(text.Value),
        OpaqueOption bytes => Hex(bytes.Value.Span),
        _ => "",
    };

    public static string Of(CoapOption option, CoapCode code) => ValueOf(option) is { Length: > 0 } value ? $"{NameOf(option, code)}: {value}" : NameOf(option, code);

    /// <summary>Returns all options on one line.</summary>
    public static string Of(in OptionSet options, CoapCode code)
    {
        List<string> texts = [];
        foreach (var option in options) { texts.Add(Of(option, code)); }
        return string.Join(", ", texts);
    }

    private static string SizeOf(BlockOption block) => block.SizeExponent == 7 ? "BERT" : (16 << block.SizeExponent).ToString(CultureInfo.InvariantCulture);

    private static string Hex(ReadOnlySpan<byte> bytes) => bytes.Length <= LongestOpaque
        ? $"0x{Convert.ToHexStringLower(bytes)}"
        : $"0x{Convert.ToHexStringLower(bytes[..LongestOpaque])}… ({bytes.Length} bytes)";
}
