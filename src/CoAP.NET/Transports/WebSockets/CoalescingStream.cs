using System.Buffers;

namespace CoAP.Transports;

/// <summary>The stream under a WebSocket. It writes several messages in one piece, and reads ahead.</summary>
/// <remarks>
/// The WebSocket of .NET writes each message separately and reads ahead about a hundred bytes. Only one read at a time is allowed. Writes may be
/// concurrent (messages, and the WebSocket's own Pong and Close), and keep their order.
/// </remarks>
/// <param name="inner">The stream of the network.</param>
internal sealed class CoalescingStream(Stream inner) : AsyncOnlyStream
{
    private const int ReadSize = 16 << 10;
    private const int LargestBatch = 64 << 10;

    private readonly SemaphoreSlim _turn = new(1, 1);
    private byte[] _read = [];
    private int _readAt;
    private int _readEnd;
    private byte[] _batch = [];
    private int _batchLength;
    private bool _isBatching;

    /// <summary>Whether bytes that were read ahead are left.</summary>
    public bool HasReadAhead => _readAt < _readEnd;

    /// <summary>Starts a batch: writes are kept until <see cref="EndBatchAsync"/>, or until the batch is full.</summary>
    /// <param name="expected">The approximate number of bytes that will be written.</param>
    public async ValueTask BeginBatchAsync(int expected)
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        _batch = ArrayPool<byte>.Shared.Rent(Math.Min(expected, LargestBatch));
        _isBatching = true;
        _turn.Release();
    }

    /// <summary>Writes the batch in one piece and ends it. Later writes are written at once.</summary>
    public async ValueTask EndBatchAsync()
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        try
        {
            _isBatching = false;
            await WriteBatchAsync(default).ConfigureAwait(false);
            // Only after a successful write: a failed one may still read from the array.
            if (_batch.Length > 0) { ArrayPool<byte>.Shared.Return(_batch); }
        }
        finally
        {
            _batch = [];
            _turn.Release();
        }
    }

    /// <summary>Writes the bytes that are kept so far, and continues the batch.</summary>
    public async ValueTask FlushBatchAsync()
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        try { await WriteBatchAsync(default).ConfigureAwait(false); }
        finally { _turn.Release(); }
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (buffer.Length > _batch.Length - _batchLength) { await WriteBatchAsync(cancellationToken).ConfigureAwait(false); }
            if (!_isBatching || buffer.Length > _batch.Length)
            {
                await inner.WriteAsync(buffer, cancellationToken).ConfigureAwait(false);
                return;
            }
            buffer.CopyTo(_batch.AsMemory(_batchLength));
            _batchLength += buffer.Length;
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Reads available bytes. With an empty buffer, waits until bytes are available, and holds no buffer meanwhile.</summary>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (!HasReadAhead)
        {
            if (buffer.IsEmpty || buffer.Length >= ReadSize) { return await inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false); }
            var ahead = ArrayPool<byte>.Shared.Rent(ReadSize);
            var read = await inner.ReadAsync(ahead, cancellationToken).ConfigureAwait(false);
            (_read, _readAt, _readEnd) = (ahead, 0, read);
        }
        var count = Math.Min(buffer.Length, _readEnd - _readAt);
        _read.AsSpan(_readAt, count).CopyTo(buffer.Span);
        _readAt += count;
        if (!HasReadAhead && _read.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_read);
            _read = [];
        }
        return count;
    }

    // Each write is written at once, or at the end of its batch.
    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    protected override void Dispose(bool disposing)
    {
        if (disposing) { inner.Dispose(); }
        base.Dispose(disposing);
    }

    private async ValueTask WriteBatchAsync(CancellationToken cancellationToken)
    {
        if (_batchLength == 0) { return; }
        var count = _batchLength;
        _batchLength = 0;
        await inner.WriteAsync(_batch.AsMemory(0, count), cancellationToken).ConfigureAwait(false);
    }
}
