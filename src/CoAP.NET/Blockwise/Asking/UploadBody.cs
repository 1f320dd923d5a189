using CoAP.Exchanges;

namespace CoAP.Blockwise;

/// <summary>The body of a request as its blocks need it: all of it in memory, or a window of what is read from a stream.</summary>
internal sealed class UploadBody
{
    private readonly ReadOnlyMemory<byte> _memory;
    private readonly BodySource? _source;
    private readonly int _readAhead;
    private byte[] _window = [];
    private byte[] _spare = [];
    private int _start;
    private int _count;
    private long _begin;
    private bool _isReading;
    private bool _hasEnded;

    public UploadBody(ReadOnlyMemory<byte> memory) => _memory = memory;

    public UploadBody(BodySource source, int readAhead)
    {
        source.Use();
        (_source, _readAhead) = (source, readAhead);
        _hasEnded = source.Length == 0;
    }

    public long? Length => _source is null ? _memory.Length : _source.Length;

    /// <summary>Whether the stream ended before its length.</summary>
    public bool IsShort => _hasEnded && Length is { } known && _begin + _count < known;

    /// <summary>The bytes of the next block and whether the body ends with them; <see langword="false"/> where they have to be read first.</summary>
    public bool TryTake(long offset, int count, out ReadOnlyMemory<byte> block, out bool isLast)
    {
        if (_source is null)
        {
            block = _memory.Slice((int)offset, (int)Math.Min(count, _memory.Length - offset));
            isLast = offset + block.Length == _memory.Length;
            return true;
        }
        var there = (int)(_begin + _count - offset);
        var length = Length ?? (_hasEnded ? _begin + _count : long.MaxValue);
        var wanted = (int)Math.Min(count, length - offset);
        // Without a length, the byte behind the block tells that it is not the last one.
        isLast = offset + wanted == length;
        block = default;
        if (there < wanted || (length == long.MaxValue && there == wanted)) { return false; }
        // A copy: it may have to be sent again when the window has moved on.
        block = _window.AsMemory(_start + (int)(offset - _begin), wanted).ToArray();
        return true;
    }

    /// <summary>What lies before is never needed again.</summary>
    public void Discard(long before)
    {
        if (_source is null) { return; }
        var gone = (int)(before - _begin);
        (_start, _count, _begin) = (_start + gone, _count - gone, before);
    }

    /// <summary>What to read now, for a block of this size; nothing where all is there that may be.</summary>
    public BodyRead? NextRead(ICallerTaskOwner transfer, int blockLength)
    {
        if (_source is null || _isReading || _hasEnded) { return null; }
        var room = (int)Math.Min(_readAhead - _count, (Length ?? long.MaxValue) - _begin - _count);
        if (room <= 0 || (_count > blockLength && room < _readAhead / 2)) { return null; }
        _isReading = true;
        if (_spare.Length == 0) { _spare = new byte[_readAhead]; }
        return new BodyRead(transfer, _source.Stream, _spare.AsMemory(0, room), Math.Clamp(blockLength + 1 - _count, 1, room));
    }

    /// <summary>Takes what was read.</summary>
    public void OnRead(BodyRead read)
    {
        _isReading = false;
        _hasEnded = read.HasEnded || _begin + _count + read.Count == Length;
        if (_window.Length == 0) { _window = new byte[_readAhead]; }
        if (_start > 0)
        {
            _window.AsSpan(_start, _count).CopyTo(_window);
            _start = 0;
        }
        _spare.AsSpan(0, read.Count).CopyTo(_window.AsSpan(_count));
        _count += read.Count;
    }
}

/// <summary>Reads a part of a request's body.</summary>
internal sealed class BodyRead(ICallerTaskOwner transfer, Stream stream, Memory<byte> buffer, int atLeast) : CallerTask(transfer)
{
    public int Count { get; private set; }

    public bool HasEnded { get; private set; }

    public override void Do() => Note(stream.ReadAtLeast(buffer.Span, atLeast, throwOnEndOfStream: false));

    public override async ValueTask DoAsync(CancellationToken cancellationToken) =>
        Note(await stream.ReadAtLeastAsync(buffer, atLeast, throwOnEndOfStream: false, cancellationToken).ConfigureAwait(false));

    private void Note(int count) => (Count, HasEnded) = (count, count < atLeast);
}
