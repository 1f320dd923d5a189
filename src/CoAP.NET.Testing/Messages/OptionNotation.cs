using System.Globalization;
using System.Text;

namespace CoAP.Testing;

/// <summary>Options by their names in RFC 7252, section 12.2; others by their number, with an opaque value.</summary>
internal static class OptionNotation
{
    private static readonly (int Number, string Name, Kind Kind)[] Known =
    [
        (1, "If-Match", Kind.Opaque), (3, "Uri-Host", Kind.Text), (4, "ETag", Kind.Opaque), (5, "If-None-Match", Kind.Opaque), (6, "Observe", Kind.Number),
        (7, "Uri-Port", Kind.Number), (8, "Location-Path", Kind.Text), (11, "Uri-Path", Kind.Text), (12, "Content-Format", Kind.Number),
        (14, "Max-Age", Kind.Number), (15, "Uri-Query", Kind.Text), (17, "Accept", Kind.Number), (20, "Location-Query", Kind.Text),
        (35, "Proxy-Uri", Kind.Text), (39, "Proxy-Scheme", Kind.Text), (60, "Size1", Kind.Number),
        (6, "Observe", Kind.Number), (23, "Block2", Kind.Block), (27, "Block1", Kind.Block), (28, "Size2", Kind.Number), (292, "Request-Tag", Kind.Opaque),

        (252, "Echo", Kind.Opaque), (258, "No-Response", Kind.Number),
    ];

    private static readonly string[] BlockSizes = ["16", "32", "64", "128", "256", "512", "1024", "BERT"];

    private enum Kind { Opaque, Text, Number, Block }

    /// <summary>Whether a value names bytes that the message has, and a variable keeps.</summary>
    public static bool IsVariable(string name, string value) =>
        value.Length > 0 && !value.StartsWith("0x", StringComparison.Ordinal) && Find(name) is (_, not null, Kind.Opaque);

    public static int NumberOf(string name) => Find(name).Number;

    public static WireOption Parse(string name, string value)
    {
        var (number, known, kind) = Find(name);
        if (known is null && !int.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out number))
        {
            throw new FormatException(
                $"The option '{name}' is unknown. Write a name and a value, such as Max-Age: 60, or the number of the option, such as 65000: 0x01. "
                + $"The names are {string.Join(", ", Known.Select(static option => option.Name).Distinct())}.");
        }
        return new(number, kind switch
        {
            Kind.Text => Encoding.UTF8.GetBytes(value),
            Kind.Block => Shortest(BlockValue(name, value)),
            Kind.Number => Shortest(NumberValue(name, value)),
            _ => value.Length == 0 ? [] : MessageNotation.BytesOf($"The value of the option '{name}'", value),
        });
    }

    public static string Describe(WireOption option)
    {
        var (_, name, kind) = Array.Find(Known, known => known.Number == option.Number);
        return (name ?? option.Number.ToString(CultureInfo.InvariantCulture)) + ": " + kind switch
        {
            Kind.Text => Encoding.UTF8.GetString(option.Value),
            Kind.Block when option.Value.Length <= 3 => BlockText(option.Value.Aggregate(0u, (sum, octet) => (sum << 8) | octet)),
            Kind.Number when option.Value is not [0, ..] => option.Value.Aggregate(0u, (sum, octet) => (sum << 8) | octet).ToString(CultureInfo.InvariantCulture),
            _ => "0x" + Convert.ToHexStringLower(option.Value),
        };
    }

    public static string DescribeByNumber(WireOption option) => string.Create(CultureInfo.InvariantCulture, $"{option.Number}: 0x{Convert.ToHexStringLower(option.Value)}");

    // NUM/M/size as in RFC 7959, section 3; BERT as in RFC 8323, section 6.
    private static uint BlockValue(string name, string text)
    {
        if (text.Split('/') is [var number, "0" or "1", var size] parts
            && uint.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out var value) && value < 1 << 20
            && Array.IndexOf(BlockSizes, size) is var exponent and >= 0)
        {
            return (value << 4) | (parts[1] == "1" ? 8u : 0) | (uint)exponent;
        }
        throw new FormatException(
            $"The value of the option '{name}' is '{text}'. Write number/more/size, such as 0/1/64: a number below 1048576, 0 or 1, and one of {string.Join(", ", BlockSizes)}.");
    }

    private static uint NumberValue(string name, string text) => uint.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var value)
        ? value
        : throw new FormatException($"The value of the option '{name}' is '{text}'. Write a whole number from 0 to 4294967295.");

    private static string BlockText(uint value) => $"{value >> 4}/{(value >> 3) & 1}/{((value & 7) == 7 ? "BERT" : $"{16 << (int)(value & 7)}")}";

    private static (int Number, string Name, Kind Kind) Find(string name) => Array.Find(Known, option => option.Name == name);

    // RFC 7252, section 3.2: as few bytes as possible, none for zero.
    private static byte[] Shortest(uint value) => [.. BitConverter.GetBytes(value).Reverse().SkipWhile(octet => octet == 0)];
}
