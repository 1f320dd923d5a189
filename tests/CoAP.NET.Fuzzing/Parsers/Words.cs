using System.Text;
using CoAP.TestSupport;

namespace CoAP.Fuzzing.Parsers;

/// <summary>The dictionaries.</summary>
internal static class Words
{
    /// <summary>Options as they stand on the wire, most of them with a delta that suits the place behind Uri-Path, and extended lengths.</summary>
    public static IReadOnlyList<byte[]> Messages { get; } =
    [
        .. new[]
        {
            "ff", "00", "b1 61", "b4 74657374", "b5 6c61726765", "60", "61 01", "61 00", "c0", "c1 28", "11 2a", "d1 0a 06", "d1 0e 06", "d1 06 06", "d1 08 0e",
            "d2 0a 0816", "d1 0f 00", "c1 0e", "e1 0007 00", "e0 ffff", "ef ffff ffff", "dd 00 00", "ee 0000 0000", "d0 ff", "0d ff", "0e 00ff", "f0", "0f",
            "e0 fef2", "1d 00", "13 666f6f", "41 aa", "51 00", "e1 ef 1a", "c2 0b b8", "d4 00 01020304", "40 01 1234", "60 00 1234", "70 00 1234", "61 45 1234 71",
            "e1", "e2", "e3", "e4", "e5", "00 e1", "01 e2 71", "20 e1 2080", "d0 00 e1", "f0 ffffffff 01", "e0 ffff 01",
        }.Select(Hex.Bytes),
    ];

    public static IReadOnlyList<byte[]> Uris { get; } = Texts(
        "coap://", "coaps://", "coap+tcp://", "coaps+tcp://", "coap+ws://", "coaps+ws://", "//", "/", "?", "#", "&", "=", ":", "@", "[", "]", "[::1]", "[fe80::1%25eth0]",
        "%", "%2F", "%00", "%ff", "%C3%A9", "%zz", "..", ".", "../", "./", "127.0.0.1", "256.1.1.1", ":5683", ":65536", ":0", "example.org", "xn--", "a=b", "v1.x", "[v1.x]", "%25");

    public static IReadOnlyList<byte[]> Links { get; } = Texts(
        "<", ">", ";", ",", "\"", "\\", "\\\"", "=", "</a>", ";rt=", ";if=\"a b\"", ";ct=40", ";ct=\"0 40\"", ";sz=1", ";obs", ";title*=UTF-8''%e2%82%ac", ";rel=\"a b\"",
        ";anchor=\"/x\"", ";title=\"q\\\"q\"", ";*", ";a*=", " ", "\r\n", "\t", ";hreflang=en", ";media=", ";type=", ";x", "é", "*");

    public static IReadOnlyList<byte[]> Cbor { get; } =
    [
        .. new[]
        {
            "a0", "bf", "ff", "20", "21", "22", "23", "24", "25", "26", "27", "60", "61 61", "7f", "5f", "9f", "80", "81", "c0", "d8 26", "d8 26 82", "d8 26 83", "d8 20",
            "f4", "f5", "f6", "f7", "f8 20", "f9 7e00", "fa 7fc00000", "fb 7ff0000000000000", "18 80", "19 ffff", "1a ffffffff", "1b ffffffffffffffff", "3b ffffffffffffffff",
            "7b ffffffffffffffff", "5b 7fffffffffffffff", "9b 0000000100000000", "bb 0000000100000000", "1c", "1f", "62 656e", "62 c328", "a1 00 00", "82 f6 00",
        }.Select(Hex.Bytes),
    ];

    public static IReadOnlyList<byte[]> Lines { get; } = Texts(
        "\n", " ", "-", "[]", "[01]", "name:", "name:61", "127.0.0.1:5683", "[::1]:5683", "0000000000000000001", "99999999999999999999", "40010001", "coap://h/p", "48010001", "ffff", "\0", "\r");

    private static IReadOnlyList<byte[]> Texts(params string[] texts) => [.. texts.Select(Encoding.UTF8.GetBytes)];
}
