using System.Text.Json;

namespace CoAP.Formats;

/// <summary>Finds the objects of an array in JSON. Whether an object is well-formed is checked when it is read.</summary>
internal sealed class SenmlJsonFramer(PayloadLimits limits) : SenmlFramer
{
    private Expected _expected = Expected.Array;
    private int _position;
    private int _start;
    private int _depth;
    private bool _isPastMark;
    private bool _isInText;
    private bool _isEscaped;
    private long _offset;

    private enum Expected
    {
        Array,
        RecordOrEnd,
        Record,
        CommaOrEnd,
    }

    public override Range? Next(ReadOnlySpan<byte> bytes, out int consumed)
    {
        if (!_isPastMark)
        {
            consumed = 0;
            if (ByteOrderMark.MayBegin(bytes)) { return null; }
            _position = ByteOrderMark.LengthIn(bytes);
            _isPastMark = true;
        }
        while (_position < bytes.Length && !IsAtEnd)
        {
            var current = bytes[_position++];
            if (_depth == 0) { Enter(current); }
            else if (IsEndOfRecord(current))
            {
                var record = _start.._position;
                _expected = Expected.CommaOrEnd;
                consumed = Consume(_position);
                return record;
            }
        }
        consumed = Consume(_depth == 0 ? _position : _start);
        return null;
    }

    public override SenmlRecord Read(ReadOnlyMemory<byte> bytes, SenmlRecordBuilder builder)
    {
        SenmlJsonRecords.CheckUtf8(bytes.Span, builder.Start);
        var reader = new Utf8JsonReader(bytes.Span, new JsonReaderOptions { MaxDepth = limits.MaxDepth });
        try
        {
            reader.Read();
            return SenmlJsonRecords.Read(ref reader, builder);
        }
        catch (JsonException exception) { throw SenmlJsonRecords.Malformed(exception, builder.Start + reader.BytesConsumed); }
        catch (InvalidOperationException exception) { throw SenmlJsonRecords.BadText(exception, builder.Start + reader.TokenStartIndex); }
    }

    private int Consume(int count)
    {
        _position -= count;
        _start -= count;
        _offset += count;
        return count;
    }

    private void Enter(byte current)
    {
        if (current is (byte)' ' or (byte)'\t' or (byte)'\r' or (byte)'\n') { return; }
        switch (_expected, current)
        {
            case (Expected.Array, (byte)'['):
                _expected = Expected.RecordOrEnd;
                break;
            case (Expected.RecordOrEnd or Expected.Record, (byte)'{'):
                _depth = 1;
                _start = _position - 1;
                break;
            case (Expected.CommaOrEnd, (byte)','):
                _expected = Expected.Record;
                break;
            case (Expected.RecordOrEnd or Expected.CommaOrEnd, (byte)']'):
                IsAtEnd = true;
                break;
            default:
                var offset = _offset + _position - 1;
                throw new CoapPayloadException($"The stream has 0x{current:x2} where {Describe(_expected)} is required (at byte {offset}).", offset);
        }
    }

    private bool IsEndOfRecord(byte current)
    {
        if (_isInText)
        {
            _isInText = _isEscaped || current != '"';
            _isEscaped = !_isEscaped && current == '\\';
            return false;
        }
        switch (current)
        {
            case (byte)'"': _isInText = true; break;
            case (byte)'{' or (byte)'[': _depth++; break;
            case (byte)'}' or (byte)']': _depth--; break;
        }
        return _depth == 0;
    }

    private static string Describe(Expected expected) => expected switch
    {
        Expected.Array => "an array",
        Expected.RecordOrEnd => "an object or the end of the array",
        Expected.Record => "an object",
        _ => "a comma or the end of the array",
    };
}
