using CoAP.Runtimes;

namespace CoAP.Blockwise;

/// <summary>Reads blocks from a stream. It keeps the latest block and a few bytes after it. One reader at a time, never on a lane.</summary>
/// <param name="source">The stream.</param>
/// <param name="runtime">Runs the reads.</param>
internal sealed class StreamBlockReader(Stream source, EndpointRuntime runtime) : IDisposable
{
    /// <summary>
    /// The most bytes that a stream without positions reads before a block, for one request. A client asks for one block after another.
    /// </summary>
    public const int MaxSkip = 1 << 20;

    private const int SkipBuffer = 16 << 10;

    private readonly long _origin = source.CanSeek ? source.Position : 0;
    private byte[] _bytes = [];
    private long _start;
    private int _count;
    private bool _hasEnded;

    /// <summary>Reads a block, and at least one more byte if there is one. Returns <see langword="null"/> if the stream cannot go back to the block.</summary>
    /// <param name="offset">The position of the block.</param>
    /// <param name="length">The greatest length of the block.</param>
    /// <param name="cancellationToken">Cancels the read.</param>
    public async ValueTask<StreamBlock?> ReadAsync(long offset, int length, CancellationToken cancellationToken)
    {
        if (offset < _start || offset > _start + _count)
        {
            if (source.CanSeek) { Seek(offset); }
            else if (offset < _start) { return null; }
            else if (offset - _start - _count > MaxSkip) { return StreamBlock.TooFar; }
        }
        await SkipToAsync(offset, cancellationToken).ConfigureAwait(false);
        if (_start != offset) { return new StreamBlock(default, HasMore: false, Total: _start); }
        if (_bytes.Length <= length) { Array.Resize(ref _bytes, length + 1); }
        while (!_hasEnded && _count <= length)
        {
            var read = await ReadSourceAsync(_bytes.AsMemory(_count, length + 1 - _count), cancellationToken).ConfigureAwait(false);
            _count += read;
            _hasEnded = read == 0;
        }
        // A copy: the message may be sent again after the next block has been read.
        return new StreamBlock(_bytes.AsSpan(0, Math.Min(_count, length)).ToArray(), _count > length, _hasEnded ? _start + _count : null);
    }

    public void Dispose() => source.Dispose();

    private ValueTask<int> ReadSourceAsync(Memory<byte> buffer, CancellationToken cancellationToken) =>
        runtime.Call(static read => read.source.ReadAsync(read.buffer, read.cancellationToken), (source, buffer, cancellationToken));

    private void Seek(long offset)
    {
        source.Position = _origin + Math.Min(offset, Math.Max(0, source.Length - _origin));
        (_start, _count, _hasEnded) = (source.Position - _origin, 0, false);
    }

    private async ValueTask SkipToAsync(long offset, CancellationToken cancellationToken)
    {
        while (_start < offset)
        {
            var known = (int)Math.Min(_count, offset - _start);
            _bytes.AsSpan(known, _count - known).CopyTo(_bytes);
            (_start, _count) = (_start + known, _count - known);
            if (_start == offset || _hasEnded) { return; }
            if (_bytes.Length < SkipBuffer) { Array.Resize(ref _bytes, SkipBuffer); }
            _count = await ReadSourceAsync(_bytes.AsMemory(0, (int)Math.Min(SkipBuffer, offset - _start)), cancellationToken).ConfigureAwait(false);
            _hasEnded = _count == 0;
        }
    }
}

/// <summary>A block of a stream.</summary>
/// <param name="Bytes">The bytes; empty if the stream ends before the block.</param>
/// <param name="HasMore">Whether bytes follow.</param>
/// <param name="Total">The length of the stream, once its end has been read.</param>
internal sealed record StreamBlock(ReadOnlyMemory<byte> Bytes, bool HasMore, long? Total)
{
    /// <summary>Stands for a block that is too far behind the last one.</summary>
    public static StreamBlock TooFar { get; } = new(default, HasMore: true, Total: null);
}
