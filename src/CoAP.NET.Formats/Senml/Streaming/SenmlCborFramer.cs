using System.Buffers.Binary;

namespace CoAP.Formats;

/// <summary>Finds the items of an array in CBOR (RFC 8949, section 3). Whether an item is a valid record is checked when it is read.</summary>
internal sealed class SenmlCborFramer(PayloadLimits limits) : SenmlFramer
{
    private const int BytesMajor = 2;
    private const int TextMajor = 3;
    private const int ArrayMajor = 4;
    private const int MapMajor = 5;
    private const int TagMajor = 6;
    private const int Indefinite = 31;
    private const byte Break = 0xff;
    private const long UntilBreak = -1;

    // How many items are still to come in each array, map or tag around the position.
    private readonly Stack<long> _open = new();
    private bool _hasBegun;
    private bool _isInRecord;
    private long _records;
    private long _skip;
    private int _start;
    private int _position;
    private long _offset;

    public override Range? Next(ReadOnlySpan<byte> bytes, out int consumed)
    {
        consumed = 0;
        if (!_hasBegun && !TryBegin(bytes)) { return null; }
        if (!_isInRecord) { TryEnterRecord(bytes); }
        if (_isInRecord && TryFinish(bytes))
        {
            var record = _start.._position;
            if (_records > 0) { _records--; }
            IsAtEnd = _records == 0;
            _isInRecord = false;
            consumed = Consume(_position);
            return record;
        }
        consumed = Consume(_isInRecord ? _start : _position);
        return null;
    }

    public override SenmlRecord Read(ReadOnlyMemory<byte> bytes, SenmlRecordBuilder builder) =>
        SenmlCborRecords.Read(new CborReader(bytes, limits), builder);

    private int Consume(int count)
    {
        _position -= count;
        _start -= count;
        _offset += count;
        return count;
    }

    private bool TryBegin(ReadOnlySpan<byte> bytes)
    {
        if (!TryReadHead(bytes, out var initial, out var argument)) { return false; }
        if (initial >> 5 != ArrayMajor)
        {
            throw new CoapPayloadException("The stream does not begin with an array (at byte 0).", 0);
        }
        _hasBegun = true;
        _records = (initial & Indefinite) == Indefinite ? UntilBreak : (long)Math.Min(argument, long.MaxValue);
        IsAtEnd = _records == 0;
        return true;
    }

    private void TryEnterRecord(ReadOnlySpan<byte> bytes)
    {
        if (IsAtEnd || _position == bytes.Length) { return; }
        if (_records == UntilBreak && bytes[_position] == Break)
        {
            _position++;
            IsAtEnd = true;
            return;
        }
        _isInRecord = true;
        _start = _position;
    }

    // Goes on to the end of the item, if it has arrived.
    private bool TryFinish(ReadOnlySpan<byte> bytes)
    {
        while (true)
        {
            if (_skip > 0)
            {
                var part = (int)Math.Min(_skip, bytes.Length - _position);
                _position += part;
                _skip -= part;
                if (_skip > 0) { return false; }
                if (EndItem()) { return true; }
            }
            if (!TryReadHead(bytes, out var initial, out var argument)) { return false; }
            if (Enter(initial, argument)) { return true; }
        }
    }

    // Returns true if the record ends with this head.
    private bool Enter(byte initial, ulong argument)
    {
        var isIndefinite = (initial & Indefinite) == Indefinite;
        switch (initial >> 5)
        {
            case BytesMajor or TextMajor when !isIndefinite:
                _skip = Bounded(argument, limits.MaxLength, "string", "bytes");
                return _skip == 0 && EndItem();
            case BytesMajor or TextMajor:
                return Open(UntilBreak);
            case ArrayMajor:
                return Open(isIndefinite ? UntilBreak : Bounded(argument, limits.MaxCount, "array", "items"));
            case MapMajor:
                return Open(isIndefinite ? UntilBreak : 2 * Bounded(argument, limits.MaxCount, "map", "entries"));
            case TagMajor:
                return Open(1);
            default:
                return initial == Break ? Close() : EndItem();
        }
    }

    private bool Open(long count)
    {
        if (count == 0) { return EndItem(); }
        if (_open.Count >= limits.MaxDepth) { throw Error($"Items are nested more than {limits.MaxDepth} levels deep"); }
        _open.Push(count);
        return false;
    }

    private bool Close() => _open.TryPop(out var left) && left == UntilBreak
        ? EndItem()
        : throw Error("A break is outside of an item without a length");

    private bool EndItem()
    {
        while (_open.TryPop(out var left))
        {
            if (left == UntilBreak || left > 1)
            {
                _open.Push(left == UntilBreak ? left : left - 1);
                return false;
            }
        }
        return true;
    }

    private bool TryReadHead(ReadOnlySpan<byte> bytes, out byte initial, out ulong argument)
    {
        (initial, argument) = (0, 0);
        if (_position >= bytes.Length) { return false; }
        initial = bytes[_position];
        var detail = initial & Indefinite;
        var length = detail switch
        {
            < 24 or Indefinite => 0,
            < 28 => 1 << (detail - 24),
            _ => throw Error($"0x{initial:x2} does not begin an item"),
        };
        var rest = bytes[(_position + 1)..];
        if (rest.Length < length) { return false; }
        argument = length switch
        {
            0 => (ulong)detail,
            1 => rest[0],
            2 => BinaryPrimitives.ReadUInt16BigEndian(rest),
            4 => BinaryPrimitives.ReadUInt32BigEndian(rest),
            _ => BinaryPrimitives.ReadUInt64BigEndian(rest),
        };
        _position += 1 + length;
        return true;
    }

    private long Bounded(ulong value, int most, string what, string unit) => value <= (ulong)most
        ? (long)value
        : throw Error($"The {what} has {value} {unit}; at most {most} are allowed");

    private CoapPayloadException Error(string message) => new($"{message} (at byte {_offset + _position}).", _offset + _position);
}
