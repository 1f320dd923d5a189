namespace CoAP.Formats;

/// <summary>Turns the bytes of a stream into records. Does not read from the stream itself, so that both forms of reading share it.</summary>
internal sealed class SenmlRecordSource(SenmlFramer framer, PayloadLimits limits, SenmlSettings settings)
{
    private const int LeastSpace = 4096;

    private readonly SenmlRecordBuilder _builder = new(limits, settings);
    private byte[] _buffer = new byte[LeastSpace];
    private int _start;
    private int _end;
    private long _offset;

    /// <summary>Whether no more records follow.</summary>
    public bool IsAtEnd { get; private set; }

    /// <summary>Returns the next record that has arrived, or <see langword="null"/> if more bytes are needed or the stream is at its end.</summary>
    public SenmlRecord? Next()
    {
        while (!IsAtEnd)
        {
            var place = framer.Next(_buffer.AsSpan(_start.._end), out var consumed);
            var record = place is { } range ? Read(range) : null;
            _start += consumed;
            _offset += consumed;
            IsAtEnd = framer.IsAtEnd;
            if (record is not null || place is null) { return record; }
        }
        return null;
    }

    /// <summary>Returns the space for the next bytes of the stream.</summary>
    public Memory<byte> GetSpace()
    {
        if (_start == _end) { (_start, _end) = (0, 0); }
        if (_buffer.Length - _end >= LeastSpace) { return _buffer.AsMemory(_end); }
        var length = _end - _start;
        if (length >= limits.MaxSize)
        {
            throw new CoapPayloadException($"A record has over {length} bytes; at most {limits.MaxSize} are allowed (at byte {_offset}).", _offset);
        }
        var target = length <= _buffer.Length / 2 && _buffer.Length > LeastSpace ? _buffer : new byte[Math.Max(2 * _buffer.Length, LeastSpace)];
        _buffer.AsSpan(_start, length).CopyTo(target);
        (_buffer, _start, _end) = (target, 0, length);
        return _buffer.AsMemory(_end);
    }

    /// <summary>Takes bytes that were read into the space.</summary>
    /// <param name="count">The number of bytes; 0 if the stream has ended, which needs no mark (RFC 8428, section 12.3).</param>
    public void Advance(int count)
    {
        _end += count;
        if (count > 0) { return; }
        if (_start != _end) { throw new CoapPayloadException($"The stream ends inside a record (at byte {_offset}).", _offset); }
        IsAtEnd = true;
    }

    private SenmlRecord? Read(Range range)
    {
        _builder.Start = _offset + range.Start.Value;
        _builder.BeginInStream(0);
        return framer.Read(_buffer.AsMemory(_start.._end)[range], _builder);
    }
}
