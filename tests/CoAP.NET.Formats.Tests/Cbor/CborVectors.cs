using System.Globalization;
using System.Numerics;

namespace CoAP.Formats.Tests;

/// <summary>The examples of RFC 8949, appendix A: bytes, diagnostic notation, and how to write them. The last is missing where the bytes are not
/// the preferred ones.</summary>
internal static class CborVectors
{
    internal static readonly (string Hex, string Text, Action<CborWriter>? Write)[] All =
    [
        .. Numbers(), .. Simples(), .. Tags(), .. Strings(), .. Structures(), .. Indefinite(),
    ];

    internal static IEnumerable<string> MalformedHex =>
        """
        18 19 1a 1b 1901 1a0102 1b01020304050607 38 58 78 98 9a01ff00 b8 d8 f8 f900 fa0000 fb000000
        41 61 5affffffff00 5bffffffffffffffff010203 7affffffff00 7b7fffffffffffffff010203
        81 818181818181818181 8200 a1 a20102 a100 a2000000
        c0 5f4100 7f6100
        9f 9f0102 bf bf01020102 819f 9f8000 9f9f9f9f9fffffffff 9f819f819f9fffffff
        1c 1d 1e 3c 3d 3e 5c 5d 5e 7c 7d 7e 9c 9d 9e bc bd be dc dd de fc fd fe
        f800 f801 f818 f81f
        5f00ff 5f21ff 5f6100ff 5f80ff 5fa0ff 5fc000ff 5fe0ff 7f4100ff 5f5f4100ffff 7f7f6100ffff
        ff 81ff 8200ff a1ff a1ff00 a100ff a20000ff 9f81ff 9f829f819f9fffffffff bf00ff bf000000ff
        1f 3f df
        """.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);

    private static IEnumerable<(string, string, Action<CborWriter>?)> Numbers()
    {
        string[] integers =
        [
            "00 0", "01 1", "0a 10", "17 23", "1818 24", "1819 25", "1864 100", "1903e8 1000", "1a000f4240 1000000",
            "1b000000e8d4a51000 1000000000000",
            "1bffffffffffffffff 18446744073709551615", "c249010000000000000000 18446744073709551616", "3bffffffffffffffff -18446744073709551616",
            "c349010000000000000000 -18446744073709551617", "20 -1", "29 -10", "3863 -100", "3903e7 -1000",
        ];
        string[] floats =
        [
            "f90000 0.0", "f98000 -0.0", "f93c00 1.0", "fb3ff199999999999a 1.1", "f93e00 1.5", "f97bff 65504.0", "fa47c35000 100000.0",
            "fa7f7fffff 3.4028234663852886E+38", "fb7e37e43c8800759c 1E+300", "f90001 5.960464477539063E-08", "f90400 6.103515625E-05", "f9c400 -4.0",
            "fbc010666666666666 -4.1", "f97c00 Infinity", "f97e00 NaN", "f9fc00 -Infinity",
        ];
        string[] longFloats =
        [
            "fa7f800000 Infinity", "fa7fc00000 NaN", "faff800000 -Infinity", "fb7ff0000000000000 Infinity",
            "fb7ff8000000000000 NaN", "fbfff0000000000000 -Infinity",
        ];
        foreach (var (hex, text) in integers.Select(Split))
        {
            yield return (hex, text, writer => writer.WriteBigInteger(BigInteger.Parse(text, CultureInfo.InvariantCulture)));
        }
        foreach (var (hex, text) in floats.Select(Split))
        {
            yield return (hex, text, writer => writer.WriteDouble(double.Parse(text, CultureInfo.InvariantCulture)));
        }
        foreach (var (hex, text) in longFloats.Select(Split)) { yield return (hex, text, null); }
    }

    private static IEnumerable<(string, string, Action<CborWriter>?)> Simples() =>
    [
        ("f4", "false", writer => writer.WriteBoolean(false)),
        ("f5", "true", writer => writer.WriteBoolean(true)),
        ("f6", "null", writer => writer.WriteNull()),
        ("f7", "undefined", writer => writer.WriteUndefined()),
        ("f0", "simple(16)", writer => writer.WriteSimple(16)),
        ("f8ff", "simple(255)", writer => writer.WriteSimple(255)),
    ];

    private static IEnumerable<(string, string, Action<CborWriter>?)> Tags() =>
    [
        ("c074323031332d30332d32315432303a30343a30305a", "0(\"2013-03-21T20:04:00Z\")",
            writer =>
            {
                writer.WriteTag(0);
                writer.WriteText("2013-03-21T20:04:00Z");
            }),
        ("c11a514b67b0", "1(1363896240)", writer => writer.WriteTimestamp(DateTimeOffset.FromUnixTimeSeconds(1363896240))),
        ("c1fb41d452d9ec200000", "1(1363896240.5)", writer => writer.WriteTimestamp(DateTimeOffset.FromUnixTimeMilliseconds(1363896240500))),
        ("d74401020304", "23(h'01020304')", writer => { writer.WriteTag(23); writer.WriteBytes([1, 2, 3, 4]); }),
        ("d818456449455446", "24(h'6449455446')", writer => { writer.WriteTag(24); writer.WriteBytes("dIETF"u8); }),
        ("d82076687474703a2f2f7777772e6578616d706c652e636f6d", "32(\"http://www.example.com\")",
            writer =>
            {
                writer.WriteTag(32);
                writer.WriteText("http://www.example.com");
            }),
    ];

    private static IEnumerable<(string, string, Action<CborWriter>?)> Strings()
    {
        yield return ("40", "h''", writer => writer.WriteBytes([]));
        yield return ("4401020304", "h'01020304'", writer => writer.WriteBytes([1, 2, 3, 4]));
        (string, string)[] texts =
        [
            ("60", ""), ("6161", "a"), ("6449455446", "IETF"), ("62225c", "\"\\"), ("62c3bc", "\u00fc"), ("63e6b0b4", "\u6c34"), ("64f0908591", "\ud800\udd51"),
        ];
        foreach (var (hex, value) in texts)
        {
            yield return (hex, CborText.OfText(value), writer => writer.WriteText(value));
        }
    }

    private static IEnumerable<(string, string, Action<CborWriter>?)> Structures() =>
    [
        ("80", "[]", writer => writer.WriteArrayStart(0)),
        ("83010203", "[1, 2, 3]", writer => Array(writer, 1, 2, 3)),
        ("8301820203820405", "[1, [2, 3], [4, 5]]",
            writer =>
            {
                writer.WriteArrayStart(3);
                writer.WriteInt64(1);
                Array(writer, 2, 3);
                Array(writer, 4, 5);
            }),
        ("98190102030405060708090a0b0c0d0e0f101112131415161718181819", $"[{OneTo25}]", writer => Array(writer, [.. Enumerable.Range(1, 25)])),
        ("a0", "{}", writer => writer.WriteMapStart(0)),
        ("a201020304", "{1: 2, 3: 4}", writer => { writer.WriteMapStart(2); writer.WriteInt32s([1, 2, 3, 4]); }),
        ("a26161016162820203", "{\"a\": 1, \"b\": [2, 3]}",
            writer =>
            {
                writer.WriteMapStart(2);
                writer.WriteText("a");
                writer.WriteInt64(1);
                writer.WriteText("b");
                Array(writer, 2, 3);
            }),
        ("826161a161626163", "[\"a\", {\"b\": \"c\"}]",
            writer =>
            {
                writer.WriteArrayStart(2);
                writer.WriteText("a");
                writer.WriteMapStart(1);
                writer.WriteText("b");
                writer.WriteText("c");
            }),
        ("a56161614161626142616361436164614461656145", "{\"a\": \"A\", \"b\": \"B\", \"c\": \"C\", \"d\": \"D\", \"e\": \"E\"}",
            writer =>
            {
                writer.WriteMapStart(5);
                foreach (var letter in "aAbBcCdDeE") { writer.WriteText([letter]); }
            }),
    ];

    private static IEnumerable<(string, string, Action<CborWriter>?)> Indefinite() =>
    [
        ("5f42010243030405ff", "h'0102030405'",
            writer =>
            {
                writer.WriteBytesStart();
                writer.WriteBytes([1, 2]);
                writer.WriteBytes([3, 4, 5]);
                writer.WriteBreak();
            }),
        ("7f657374726561646d696e67ff", "\"streaming\"",
            writer =>
            {
                writer.WriteTextStart();
                writer.WriteText("strea");
                writer.WriteUtf8("ming"u8);
                writer.WriteBreak();
            }),
        ("9fff", "[_ ]", writer => Open(writer, _ => { })),
        ("9f018202039f0405ffff", "[_ 1, [2, 3], [_ 4, 5]]",
            writer => Open(writer, w => { w.WriteInt64(1); Array(w, 2, 3); Open(w, v => v.WriteInt32s([4, 5])); })),
        ("9f01820203820405ff", "[_ 1, [2, 3], [4, 5]]", writer => Open(writer, w => { w.WriteInt64(1); Array(w, 2, 3); Array(w, 4, 5); })),
        ("83018202039f0405ff", "[1, [2, 3], [_ 4, 5]]",
            writer =>
            {
                writer.WriteArrayStart(3);
                writer.WriteInt64(1);
                Array(writer, 2, 3);
                Open(writer, w => w.WriteInt32s([4, 5]));
            }),
        ("83019f0203ff820405", "[1, [_ 2, 3], [4, 5]]",
            writer =>
            {
                writer.WriteArrayStart(3);
                writer.WriteInt64(1);
                Open(writer, w => w.WriteInt32s([2, 3]));
                Array(writer, 4, 5);
            }),
        ("9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff", $"[_ {OneTo25}]",
            writer => Open(writer, w => w.WriteInt32s([.. Enumerable.Range(1, 25)]))),
        ("bf61610161629f0203ffff", "{_ \"a\": 1, \"b\": [_ 2, 3]}",
            writer =>
            {
                writer.WriteMapStart();
                writer.WriteText("a");
                writer.WriteUInt64(1);
                writer.WriteText("b");
                Open(writer, w => w.WriteInt32s([2, 3]));
                writer.WriteBreak();
            }),
        ("826161bf61626163ff", "[\"a\", {_ \"b\": \"c\"}]",
            writer =>
            {
                writer.WriteArrayStart(2);
                writer.WriteText("a");
                writer.WriteMapStart();
                writer.WriteText("b");
                writer.WriteText("c");
                writer.WriteBreak();
            }),
        ("bf6346756ef563416d7421ff", "{_ \"Fun\": true, \"Amt\": -2}",
            writer =>
            {
                writer.WriteMapStart();
                writer.WriteText("Fun");
                writer.WriteBoolean(true);
                writer.WriteText("Amt");
                writer.WriteInt64(-2);
                writer.WriteBreak();
            }),
    ];

    private static string OneTo25 => string.Join(", ", Enumerable.Range(1, 25));

    private static void Array(CborWriter writer, params int[] values)
    {
        writer.WriteArrayStart(values.Length);
        foreach (var value in values) { writer.WriteInt64(value); }
    }

    private static void Open(CborWriter writer, Action<CborWriter> items)
    {
        writer.WriteArrayStart();
        items(writer);
        writer.WriteBreak();
    }

    private static (string Hex, string Text) Split(string line) => line.Split(' ') is [var hex, var text] ? (hex, text) : throw new FormatException(line);
}
