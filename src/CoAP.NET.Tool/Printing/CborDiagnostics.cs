using System.Buffers.Binary;
using System.Globalization;
using System.Text;

namespace CoAP.Tool.Printing;

/// <summary>CBOR in diagnostic notation (RFC 8949, section 8), with one item of a map or a list of containers on each line.</summary>
/// <remarks>Malformed input, and more than <see cref="MaxDepth"/> levels, throw <see cref="FormatException"/>.</remarks>
internal ref struct CborDiagnostics
{
    private const int MaxDepth = 64;
    private const int ShortLength = 60;
    private const int MaxWritten = 4 << 20;
    private const byte Break = 0xFF;
    private const byte Indefinite = 31;
    private const string Indent = "  ";

    private readonly ReadOnlySpan<byte> _bytes;
    private int _at;
    private long _written;

    private CborDiagnostics(ReadOnlySpan<byte> bytes) => _bytes = bytes;

    /// <summary>Returns the items of a payload, one below the other; a CBOR sequence (RFC 8742) has several.</summary>
    /// <exception cref="FormatException">The payload is not well-formed.</exception>
    public static string Describe(ReadOnlySpan<byte> payload)
    {
        var reader = new CborDiagnostics(payload);
        var items = new List<string>();
        while (reader._at < payload.Length) { items.Add(reader.ReadItem(0)); }
        return string.Join('\n', items);
    }

    private string ReadItem(int depth)
    {
        if (depth > MaxDepth) { throw new FormatException($"The CBOR item has more than {MaxDepth} levels."); }
        var head = ReadByte();
        var (major, detail) = (head >> 5, head & 31);
        if (major == 7) { return ReadSimple(detail); }
        if (detail == Indefinite) { return ReadIndefinite(major, depth); }
        var argument = ReadArgument(detail);
        return major switch
        {
            0 => argument.ToString(CultureInfo.InvariantCulture),
            1 => (-1 - (Int128)argument).ToString(CultureInfo.InvariantCulture),
            2 => $"h'{Convert.ToHexStringLower(Take(argument))}'",
            3 => Quote(Take(argument)),
            4 => Join('[', ']', depth, ReadItems(argument, depth)),
            5 => Join('{', '}', depth, ReadPairs(argument, depth)),
            _ => $"{argument.ToString(CultureInfo.InvariantCulture)}({ReadItem(depth + 1)})",
        };
    }

    private List<string> ReadItems(ulong count, int depth)
    {
        CheckCount(count, 1);
        var items = new List<string>();
        while (count-- > 0) { items.Add(ReadItem(depth + 1)); }
        return items;
    }

    private List<string> ReadPairs(ulong count, int depth)
    {
        CheckCount(count, 2);
        var pairs = new List<string>();
        while (count-- > 0) { pairs.Add(ReadPair(depth)); }
        return pairs;
    }

    private string ReadPair(int depth)
    {
        var key = ReadItem(depth + 1);
        return $"{key}: {ReadItem(depth + 1)}";
    }

    private string ReadIndefinite(int major, int depth)
    {
        if (major is not (>= 2 and <= 5)) { throw Malformed("an item of this type has no indefinite length"); }
        var parts = new List<string>();
        while (Peek() != Break)
        {
            if (major is 2 or 3 && (Peek() >> 5 != major || (Peek() & 31) == Indefinite)) { throw Malformed("a chunk of a string has another type"); }
            parts.Add(major == 5 ? ReadPair(depth) : ReadItem(depth + 1));
        }
        _at++;
        return major switch
        {
            _ when parts.Count == 0 && major is 2 or 3 => major == 2 ? "''_" : "\"\"_",
            4 => Join('[', ']', depth, parts, "_ "),
            5 => Join('{', '}', depth, parts, "_ "),
            _ => $"(_ {string.Join(", ", parts)})",
        };
    }

    private string ReadSimple(int detail) => detail switch
    {
        20 => "false",
        21 => "true",
        22 => "null",
        23 => "undefined",
        24 when ReadByte() is var value => value >= 32 ? $"simple({value})" : throw Malformed("a simple value is encoded with two bytes"),
        25 => Number((double)BinaryPrimitives.ReadHalfBigEndian(Take(2))),
        26 when BinaryPrimitives.ReadSingleBigEndian(Take(4)) is var single => float.IsFinite(single) ? WithPoint(single.ToString("R", CultureInfo.InvariantCulture)) : Number(single),
        27 => Number(BinaryPrimitives.ReadDoubleBigEndian(Take(8))),
        < 20 => $"simple({detail})",
        _ => throw Malformed("the item has a reserved value"),
    };

    private static string Number(double value) => value switch
    {
        double.NaN => "NaN",
        double.PositiveInfinity => "Infinity",
        double.NegativeInfinity => "-Infinity",
        _ => WithPoint(value.ToString("R", CultureInfo.InvariantCulture)),
    };

    // Without a point, the number would read as an integer.
    private static string WithPoint(string number) => number.AsSpan().ContainsAny(".E") ? number : number + ".0";

    private ulong ReadArgument(int detail) => detail switch
    {
        < 24 => (ulong)detail,
        24 => ReadByte(),
        25 => BinaryPrimitives.ReadUInt16BigEndian(Take(2)),
        26 => BinaryPrimitives.ReadUInt32BigEndian(Take(4)),
        27 => BinaryPrimitives.ReadUInt64BigEndian(Take(8)),
        _ => throw Malformed("the item has a reserved length"),
    };

    private readonly byte Peek() => _at < _bytes.Length ? _bytes[_at] : throw Malformed("it ends inside an item");

    private byte ReadByte()
    {
        var value = Peek();
        _at++;
        return value;
    }

    private ReadOnlySpan<byte> Take(ulong count)
    {
        CheckCount(count, 1);
        var taken = _bytes.Slice(_at, (int)count);
        _at += (int)count;
        return taken;
    }

    private readonly void CheckCount(ulong count, int bytesEach)
    {
        if (count > (ulong)(_bytes.Length - _at) / (ulong)bytesEach) { throw Malformed("it ends inside an item"); }
    }

    private readonly FormatException Malformed(string reason) => new($"The payload is not well-formed CBOR: {reason}, at byte {_at}.");

    private static string Quote(ReadOnlySpan<byte> utf8) => $"\"{Printable.Of(Encoding.UTF8.GetString(utf8).Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal))}\"";

    private string Join(char first, char last, int depth, List<string> items, string mark = "")
    {
        var length = items.Sum(static item => (long)item.Length);
        // Each level of nesting copies and indents what is inside.
        if ((_written += length) > MaxWritten) { throw new FormatException($"The notation of the CBOR item is longer than {MaxWritten} characters."); }
        if (length <= ShortLength && $"{first}{mark}{string.Join(", ", items)}{last}" is { Length: <= ShortLength } line && !line.Contains('\n')) { return line; }
        var indent = string.Concat(Enumerable.Repeat(Indent, depth));
        return $"{first}{mark}\n{indent}{Indent}{string.Join($",\n{indent}{Indent}", items)}\n{indent}{last}";
    }
}
