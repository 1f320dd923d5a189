using System.Globalization;
using System.Numerics;
using System.Text;

namespace CoAP.Formats.Tests;

/// <summary>
/// A decoder that follows the tables of the specification as literally as possible, slowly and recursively. It shares no code with the library. Items
/// become texts, so that documents can be compared.
/// </summary>
internal sealed class PlainMessagePack(byte[] document)
{
    private int _at;

    public static string Describe(byte[] document)
    {
        var decoder = new PlainMessagePack(document);
        var text = decoder.Item();
        return decoder._at == document.Length ? text : throw new FormatException("There are bytes after the item.");
    }

    private string Item()
    {
        int first = Byte();
        return first switch
        {
            <= 0x7f => first.ToString(CultureInfo.InvariantCulture),
            <= 0x8f => Map(first - 0x80),
            <= 0x9f => Array(first - 0x90),
            <= 0xbf => Text(first - 0xa0),
            >= 0xe0 => (first - 0x100).ToString(CultureInfo.InvariantCulture),
            _ => Named(first),
        };
    }

    private string Named(int first) => first switch
    {
        0xc0 => "nil",
        0xc2 => "false",
        0xc3 => "true",
        0xc4 => Bytes(Count(1)),
        0xc5 => Bytes(Count(2)),
        0xc6 => Bytes(Count(4)),
        0xc7 => Extension(Count(1)),
        0xc8 => Extension(Count(2)),
        0xc9 => Extension(Count(4)),
        0xca => Float(BitConverter.ToSingle([.. Take(4).Reverse()])),
        0xcb => Float(BitConverter.ToDouble([.. Take(8).Reverse()])),
        0xcc or 0xcd or 0xce or 0xcf => Integer(1 << (first - 0xcc), isUnsigned: true),
        0xd0 or 0xd1 or 0xd2 or 0xd3 => Integer(1 << (first - 0xd0), isUnsigned: false),
        0xd4 => Extension(1),
        0xd5 => Extension(2),
        0xd6 => Extension(4),
        0xd7 => Extension(8),
        0xd8 => Extension(16),
        0xd9 => Text(Count(1)),
        0xda => Text(Count(2)),
        0xdb => Text(Count(4)),
        0xdc => Array(Count(2)),
        0xdd => Array(Count(4)),
        0xde => Map(Count(2)),
        0xdf => Map(Count(4)),
        _ => throw new FormatException($"0x{first:x2} is never used."),
    };

    private byte Byte() => document[_at++];

    private byte[] Take(int length) => [.. Enumerable.Range(0, length).Select(_ => Byte())];

    private int Count(int size) => (int)new BigInteger(Take(size), isUnsigned: true, isBigEndian: true);

    private string Integer(int size, bool isUnsigned) =>
        new BigInteger(Take(size), isUnsigned, isBigEndian: true).ToString(CultureInfo.InvariantCulture);

    private string Text(int length) => $"\"{Encoding.UTF8.GetString(Take(length))}\"";

    private string Bytes(int length) => $"x{Convert.ToHexString(Take(length))}";

    private string Extension(int length) => $"ext{(sbyte)Byte()}:{Convert.ToHexString(Take(length))}";

    private string Array(int count) => $"[{string.Join(",", Enumerable.Range(0, count).Select(_ => Item()))}]";

    private string Map(int count) => $"{{{string.Join(",", Enumerable.Range(0, count).Select(_ => $"{Item()}:{Item()}"))}}}";

    private static string Float(double value) => $"f{BitConverter.DoubleToUInt64Bits(value):x16}";
}
