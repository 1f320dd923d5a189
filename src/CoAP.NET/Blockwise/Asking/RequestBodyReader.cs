using CoAP.Exchanges;

namespace CoAP.Blockwise;

/// <summary>Supplies the blocks of a request's body from memory, or from a window of a stream.</summary>
internal sealed class RequestBodyReader
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
    private bool _rewinds;      // before the next read
    private bool _drops;        // what is being read

    public RequestBodyReader(ReadOnlyMemory<byte> memory) => _memory = memory;

    public RequestBodyReader(BodySource source, int readAhead)
    {
        source.Use();
        (_source, _readAhead) = (source, readAhead);
        _hasEnded = source.Length == 0;
    }

    public long? Length => _source is null ? _memory.Length : _source.Length;

    /// <summary>Whether the stream ended before its length.</summary>
    public bool IsShort => _hasEnded && Length is { } known && _begin + _count < known;

    /// <summary>Returns a block and whether it is the last one. Returns <see langword="false"/> if its bytes have to be read first.</summary>
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
        // Without a length, only a byte after the block shows that the block is not the last one.
        isLast = offset + wanted == length;
        block = default;
        if (there < wanted || (length == long.MaxValue && there == wanted)) { return false; }
        // A copy: the block may be sent again after the window has moved on.
        block = _window.AsMemory(_start + (int)(offset - _begin), wanted).ToArray();
        return true;
    }

    /// <summary>Discards the bytes before an offset, which are not needed again.</summary>
    public void Discard(long before)
    {
        if (_source is null) { return; }
        var gone = (int)(before - _begin);
        (_start, _count, _begin) = (_start + gone, _count - gone, before);
    }

    /// <summary>Begins with the first byte again. Returns <see langword="false"/> if the stream cannot be read again.</summary>
    public bool TryRestart()
    {
        if (_source is null) { return true; }
        if (!_source.CanRestart) { return false; }
        (_start, _count, _begin, _hasEnded) = (0, 0, 0, _source.Length == 0);
        (_rewinds, _drops) = (true, _isReading);
        return true;
    }

    /// <summary>Returns the next read for blocks of a size, or <see langword="null"/> if no read is due.</summary>
    public ReadBodyTask? NextRead(IBodyTransfer transfer, int blockLength)
    {
        if (_source is null || _isReading || _hasEnded) { return null; }
        var room = (int)Math.Min(_readAhead - _count, (Length ?? long.MaxValue) - _begin - _count);
        if (room <= 0 || (_count > blockLength && room < _readAhead / 2)) { return null; }
        _isReading = true;
        if (_spare.Length == 0) { _spare = new byte[_readAhead]; }
        var rewinds = _rewinds;
        _rewinds = false;
        return new ReadBodyTask(transfer, _source, _spare.AsMemory(0, room), Math.Clamp(blockLength + 1 - _count, 1, room), rewinds);
    }

    /// <summary>Adds the bytes that were read to the window.</summary>
    public void OnRead(ReadBodyTask read)
    {
        _isReading = false;
        if (_drops)
        {
            _drops = false;
            return;
        }
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

/// <summary>Reads a part of a request's body from its stream.</summary>
/// <param name="transfer">The transfer that needs the bytes.</param>
/// <param name="source">The stream.</param>
/// <param name="buffer">Receives the bytes.</param>
/// <param name="atLeast">The number of bytes after which the read ends.</param>
/// <param name="rewinds">Whether the stream begins again.</param>
internal sealed class ReadBodyTask(IBodyTransfer transfer, BodySource source, Memory<byte> buffer, int atLeast, bool rewinds) : CallerTask(transfer)
{
    public int Count { get; private set; }

    public bool HasEnded { get; private set; }

    public override void Do()
    {
        if (rewinds) { source.Rewind(); }
        Note(source.Stream.ReadAtLeast(buffer.Span, atLeast, throwOnEndOfStream: false));
    }

    public override async ValueTask DoAsync(CancellationToken cancellationToken)
    {
        if (rewinds) { source.Rewind(); }
        Note(await source.Stream.ReadAtLeastAsync(buffer, atLeast, throwOnEndOfStream: false, cancellationToken).ConfigureAwait(false));
    }

    private void Note(int count) => (Count, HasEnded) = (count, count < atLeast);
}
