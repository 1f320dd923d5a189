using System.Buffers.Binary;
using System.Text;
using System.Text.Unicode;

namespace CoAP.Problems;

/// <summary>Reads the bytes of CBOR items (RFC 8949). Terminates without an exception for any bytes.</summary>
/// <remarks>Each method returns <see langword="false"/> if the bytes are something else. The reader must not be used afterwards.</remarks>
internal ref struct CborReader(ReadOnlySpan<byte> bytes)
{
    /// <summary>The greatest nesting depth of items.</summary>
    public const int MaxDepth = 16;

    private const byte Break = 0xFF;
    private const int Indefinite = 31;

    private readonly ReadOnlySpan<byte> _bytes = bytes;

    /// <summary>The offset of the next item.</summary>
    public int Position { get; private set; }

    public readonly bool IsAtEnd => Position >= _bytes.Length;

    /// <summary>The kind of the next item, or <see cref="CborKind.None"/> at the end.</summary>
    public readonly CborKind Kind => IsAtEnd ? CborKind.None : (CborKind)(_bytes[Position] >> 5);

    /// <summary>Enters a map or array, or skips a tag.</summary>
    /// <param name="kind">The expected kind.</param>
    /// <param name="count">The number of pairs or elements, or the tag; -1 if a break ends them.</param>
    public bool TryEnter(CborKind kind, out long count)
    {
        count = 0;
        if (Kind != kind || !TryReadHead(out var argument, out var isIndefinite) || argument > long.MaxValue) { return false; }
        count = isIndefinite ? -1 : (long)argument;
        return !isIndefinite || kind != CborKind.Tag;
    }

    /// <summary>Returns whether another pair or element follows, and counts it. Reads the break that ends an indefinite number.</summary>
    public bool HasNext(ref long count)
    {
        if (count >= 0) { return count-- > 0; }
        if (IsAtEnd || _bytes[Position] != Break) { return true; }
        Position++;
        return false;
    }

    public bool TryReadInteger(out long value)
    {
        value = 0;
        var kind = Kind;
        if (kind is not (CborKind.Unsigned or CborKind.Negative)) { return false; }
        if (!TryReadHead(out var argument, out var isIndefinite) || isIndefinite || argument > long.MaxValue) { return false; }
        value = kind == CborKind.Unsigned ? (long)argument : -1 - (long)argument;
        return true;
    }

    /// <summary>Reads a direction: false, true or null (RFC 9290, section 3.1).</summary>
    public bool TryReadDirection(out TextDirection direction)
    {
        direction = TextDirection.Auto;
        if (IsAtEnd || _bytes[Position] is not (0xF4 or 0xF5 or 0xF6)) { return false; }
        direction = _bytes[Position++] switch { 0xF4 => TextDirection.LeftToRight, 0xF5 => TextDirection.RightToLeft, _ => TextDirection.Auto };
        return true;
    }

    public bool TryReadText(out string value)
    {
        value = "";
        if (Kind != CborKind.Text || !TryReadHead(out var length, out var isIndefinite)) { return false; }
        if (!isIndefinite) { return TryTakeText(length, out value); }
        var text = new StringBuilder();
        for (long chunks = -1; HasNext(ref chunks);)
        {
            if (Kind != CborKind.Text || !TryReadHead(out length, out var isNested) || isNested || !TryTakeText(length, out var chunk)) { return false; }
            text.Append(chunk);
        }
        value = text.ToString();
        return true;
    }

    /// <summary>Skips one item of any kind.</summary>
    public bool TrySkip(int depth = 0)
    {
        if (depth > MaxDepth) { return false; }
        var kind = Kind;
        if (kind == CborKind.None || !TryReadHead(out var argument, out var isIndefinite)) { return false; }
        return kind switch
        {
            CborKind.Bytes or CborKind.Text => isIndefinite ? TrySkipChunks(kind) : TryTake(argument, out _),
            CborKind.Array => TrySkipItems(argument, isIndefinite, isMap: false, depth),
            CborKind.Map => TrySkipItems(argument, isIndefinite, isMap: true, depth),
            CborKind.Tag => !isIndefinite && TrySkip(depth + 1),
            _ => !isIndefinite,
        };
    }

    private bool TrySkipItems(ulong count, bool isIndefinite, bool isMap, int depth)
    {
        if (count > int.MaxValue) { return false; }
        for (var left = isIndefinite ? -1 : (long)count; HasNext(ref left);)
        {
            if (!TrySkip(depth + 1) || (isMap && !TrySkip(depth + 1))) { return false; }
        }
        return true;
    }

    private bool TrySkipChunks(CborKind kind)
    {
        for (long chunks = -1; HasNext(ref chunks);)
        {
            if (Kind != kind || !TryReadHead(out var length, out var isNested) || isNested || !TryTake(length, out _)) { return false; }
        }
        return true;
    }

    private bool TryTakeText(ulong length, out string text)
    {
        var isText = TryTake(length, out var bytes) && Utf8.IsValid(bytes);
        text = isText ? Encoding.UTF8.GetString(bytes) : "";
        return isText;
    }

    private bool TryTake(ulong length, out ReadOnlySpan<byte> bytes)
    {
        bytes = default;
        if (length > (ulong)(_bytes.Length - Position)) { return false; }
        bytes = _bytes.Slice(Position, (int)length);
        Position += (int)length;
        return true;
    }

    private bool TryReadHead(out ulong argument, out bool isIndefinite)
    {
        (argument, isIndefinite) = (0, false);
        if (IsAtEnd) { return false; }
        var (kind, low) = (Kind, _bytes[Position++] & 31);
        if (low == Indefinite)
        {
            isIndefinite = true;
            return kind is CborKind.Bytes or CborKind.Text or CborKind.Array or CborKind.Map;
        }
        if (low < 24) { argument = (ulong)low; }
        if (low < 24 || low > 27) { return low < 24; }
        if (!TryTake(1UL << (low - 24), out var bytes)) { return false; }
        argument = low switch
        {
            24 => bytes[0],
            25 => BinaryPrimitives.ReadUInt16BigEndian(bytes),
            26 => BinaryPrimitives.ReadUInt32BigEndian(bytes),
            _ => BinaryPrimitives.ReadUInt64BigEndian(bytes),
        };
        return kind != CborKind.Simple || low != 24 || argument >= 32;  // a simple value has one encoding (RFC 8949, section 3.3)
    }
}
