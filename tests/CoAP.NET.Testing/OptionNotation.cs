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
    ];

    private enum Kind { Opaque, Text, Number }

    public static WireOption Parse(string name, string value)
    {
        var (number, known, kind) = Array.Find(Known, option => option.Name == name);
        if (known is null) { number = int.Parse(name, CultureInfo.InvariantCulture); }
        return new(number, kind switch
        {
            Kind.Text => Encoding.UTF8.GetBytes(value),
            Kind.Number => Shortest(uint.Parse(value, CultureInfo.InvariantCulture)),
            _ => value.Length == 0 ? [] : Convert.FromHexString(value.AsSpan(2)),
        });
    }

    public static string Describe(WireOption option)
    {
        var (_, name, kind) = Array.Find(Known, known => known.Number == option.Number);
        return (name ?? option.Number.ToString(CultureInfo.InvariantCulture)) + ": " + kind switch
        {
            Kind.Text => Encoding.UTF8.GetString(option.Value),
            Kind.Number when option.Value is not [0, ..] => option.Value.Aggregate(0u, (sum, octet) => (sum << 8) | octet).ToString(CultureInfo.InvariantCulture),
            _ => "0x" + Hex.Text(option.Value),
        };
    }

    // RFC 7252, section 3.2: as few bytes as possible, none for zero.
    private static byte[] Shortest(uint value) => [.. BitConverter.GetBytes(value).Reverse().SkipWhile(octet => octet == 0)];
}
