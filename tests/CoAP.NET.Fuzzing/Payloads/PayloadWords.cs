using System.Text;
using CoAP.Fuzzing.Parsers;
using CoAP.TestSupport;

namespace CoAP.Fuzzing.Payloads;

/// <summary>The dictionaries of the payload formats.</summary>
internal static class PayloadWords
{
    private static readonly string[] Members =
        ["Name", "IsOn", "Count", "Serial", "Offset", "Level", "Share", "Since", "Key", "Numbers", "Values", "Parent", "Parts"];

    /// <summary>Heads of items, and the names of members as texts.</summary>
    public static IReadOnlyList<byte[]> Cbor { get; } =
    [
        .. Words.Cbor,
        .. Hexes("c1 1a 65f2c8dd", "c1 fb 41d97cb237500000", "c0 74 323032362d30332d31345430393a32363a35335a", "f9 3c00", "9f ff", "bf ff"),
        .. Hexes("7f 61 61 ff", "5f 41 00 ff", "d9 d9f7", "c2 41 01", "c4 82 20 01", "f8 ff", "3b 8000000000000000", "3b 7fffffffffffffff"),
        .. Members.Select(static name => (byte[])[(byte)(0x60 + name.Length), .. Encoding.UTF8.GetBytes(name)]),
    ];

    /// <summary>Heads of objects, and the names of members as strings.</summary>
    public static IReadOnlyList<byte[]> MessagePack { get; } =
    [
        .. Hexes("7f", "80", "81", "90", "91", "a0", "a1 61", "a2 c328", "bf", "c0", "c1", "c2", "c3", "c4 00", "c5 0000", "c6 ffffffff"),
        .. Hexes("c7 00 01", "c7 0c ff 3b9aca00 0000000000000000", "c7 0c ff", "c8 ffff 00", "c9 ffffffff ff", "ca 7fc00000"),
        .. Hexes("cb 7ff0000000000000", "cc ff", "cd ffff", "ce ffffffff", "cf ffffffffffffffff", "d0 80", "d1 8000", "d2 80000000"),
        .. Hexes("d3 8000000000000000", "d4 00 00", "d6 ff 65f2c8dd", "d7 ff 3b9aca0065f2c8dd", "d8 00", "d9 ff", "da ffff", "db ffffffff"),
        .. Hexes("dc 0001", "dd ffffffff", "de 0001", "df ffffffff", "e0"),
        .. Members.Select(static name => (byte[])[(byte)(0xA0 + name.Length), .. Encoding.UTF8.GetBytes(name)]),
    ];

    public static IReadOnlyList<byte[]> Json { get; } =
    [
        .. Texts("{", "}", "[", "]", ":", ",", "\"", "null", "true", "false", "0", "-1", "1e400", "0.1", "18446744073709551615", "{}", "[]"),
        .. Texts("\"\\u0000\"", "\"\\ud800\"", "\"2026-03-14T09:26:53Z\"", "\"AQID\"", " ", "\\", "//", "/*", "\"a\":", "1e-999", "NaN"),
        .. Members.SelectMany(static name => Texts($"\"{name}\":", $",\"{name}\":null")),
    ];

    /// <summary>Tags of fields with each wire type, and lengths.</summary>
    public static IReadOnlyList<byte[]> Protobuf { get; } =
    [
        .. Hexes("0a 00", "0a ff ff ff ff 0f", "08 00", "08 ff ff ff ff ff ff ff ff ff 01", "09", "0d", "0b", "0c", "12 02 c3 28", "22 00"),
        .. Hexes("ff ff ff ff 0f", "80 80 80 80 80 80 80 80 80 80 00", "00", "fa 01 00", "0b 0c", "07"),
    ];

    public static IReadOnlyList<byte[]> SenmlJson { get; } =
    [
        .. Texts("[", "]", "{", "}", ",", ":", "null", "{\"n\":\"a\",\"v\":1}", "\"bn\":\"urn:dev:\"", "\"bt\":1.276020076001e9", "\"bu\":\"Cel\""),
        .. Texts("\"bv\":1e400", "\"bs\":1", "\"bver\":11", "\"bver\":10", "\"n\":\"\"", "\"u\":\"lon\"", "\"v\":-0.0", "\"vs\":\"\"", "\"vb\":true"),
        .. Texts("\"vd\":\"AQID\"", "\"vd\":\"*\"", "\"s\":1e308", "\"t\":-268435456", "\"t\":268435456", "\"ut\":0", "\"x_\":1", "\"x\":{}"),
        .. Texts("1e999", "\"\\ud800\""),
    ];

    public static IReadOnlyList<byte[]> SenmlCbor { get; } =
    [
        .. Words.Cbor,
        .. Hexes("20 0a", "20 0b", "21 61 61", "22 fb 41d3000000000000", "23 63 43656c", "24 01", "25 01", "00 61 61", "01 61 61", "02 01"),
        .. Hexes("03 61 61", "04 f5", "05 01", "06 1a 10000000", "06 39 ffff", "07 01", "08 41 00", "81 a0", "82 a1", "63 615f62"),
    ];

    private static byte[][] Hexes(params string[] texts) => [.. texts.Select(Hex.Bytes)];

    private static byte[][] Texts(params string[] texts) => [.. texts.Select(Encoding.UTF8.GetBytes)];
}
