using System.Buffers;

namespace CoAP.Transports;

/// <summary>The bytes below a WebSocket. The runtime's WebSocket writes each message by itself and reads ahead a hundred bytes; here many go in one piece.</summary>
/// <remarks>One read at a time; writes may come from several sides (messages, and the WebSocket's own Pong and Close), and go out in their order.</remarks>
internal sealed class GatheringStream(Stream below) : AwaitedStream
{
    private const int ReadSize = 16 << 10;
    private const int MostGathered = 64 << 10;

    private readonly SemaphoreSlim _turn = new(1, 1);
    private byte[] _read = [];
    private int _readAt;
    private int _readEnd;
    private byte[] _gathered = [];
    private int _gatheredCount;
    private bool _isGathering;

    /// <summary>Whether more was read than was asked for.</summary>
    public bool HasReadAhead => _readAt < _readEnd;

    /// <summary>Keeps what is written from now on until <see cref="EndAsync"/>, or until there is too much of it.</summary>
    /// <param name="expected">The bytes that will come, roughly.</param>
    public async ValueTask BeginAsync(int expected)
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        _gathered = ArrayPool<byte>.Shared.Rent(Math.Min(expected, MostGathered));
        _isGathering = true;
        _turn.Release();
    }

    /// <summary>Writes what was kept in one piece, and each further write at once.</summary>
    public async ValueTask EndAsync()
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        try
        {
            _isGathering = false;
            await WriteGatheredAsync(default).ConfigureAwait(false);
            // Only after a write that succeeded: one that failed may still read from it.
            if (_gathered.Length > 0) { ArrayPool<byte>.Shared.Return(_gathered); }
        }
        finally
        {
            _gathered = [];
            _turn.Release();
        }
    }

    /// <summary>Writes what was kept so far.</summary>
    public async ValueTask PushAsync()
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        try { await WriteGatheredAsync(default).ConfigureAwait(false); }
        finally { _turn.Release(); }
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (buffer.Length > _gathered.Length - _gatheredCount) { await WriteGatheredAsync(cancellationToken).ConfigureAwait(false); }
            if (!_isGathering || buffer.Length > _gathered.Length)
            {
                await below.WriteAsync(buffer, cancellationToken).ConfigureAwait(false);
                return;
            }
            buffer.CopyTo(_gathered.AsMemory(_gatheredCount));
            _gatheredCount += buffer.Length;
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Reads what is there; with an empty buffer, waits until there is something, and holds no buffer meanwhile.</summary>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (!HasReadAhead)
        {
            if (buffer.IsEmpty || buffer.Length >= ReadSize) { return await below.ReadAsync(buffer, cancellationToken).ConfigureAwait(false); }
            var ahead = ArrayPool<byte>.Shared.Rent(ReadSize);
            var read = await below.ReadAsync(ahead, cancellationToken).ConfigureAwait(false);
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

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    // What is written goes out by itself, or when it is no longer kept.
    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    protected override void Dispose(bool disposing)
    {
        if (disposing) { below.Dispose(); }
        base.Dispose(disposing);
    }

    private async ValueTask WriteGatheredAsync(CancellationToken cancellationToken)
    {
        if (_gatheredCount == 0) { return; }
        var count = _gatheredCount;
        _gatheredCount = 0;
        await below.WriteAsync(_gathered.AsMemory(0, count), cancellationToken).ConfigureAwait(false);
    }
}
