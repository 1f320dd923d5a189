using System.Buffers;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>A connection over a .NET stream such as <see cref="System.Net.Security.SslStream"/>. Its calls never wait.</summary>
/// <remarks>At most one read and one write are in progress. An idle connection waits in a zero-byte read and holds no buffer.</remarks>
internal sealed class DuplexStreamConnection : IStreamConnection
{
    private const int ReadSize = 16 << 10;

    // More output is not copied: it stays with its sender, who counts it until it is written.
    private const int LargestCopy = 4 << 10;

    private readonly Stream _stream;
    private readonly ConnectionPlace? _place;
    private readonly Func<ValueTask> _endSending;
    private readonly TaskCompletionSource _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private IStreamEvents? _events;
    private Exception? _error;
    private byte[] _read = [];
    private int _readAt;
    private int _readEnd;
    private bool _isEnded;
    private bool _isRefused;        // and the outcome has not been returned yet
    private Task _output = Task.CompletedTask;      // the last write, which runs after all earlier ones
    private int _begun;             // the bytes that the last write has and that the caller still counts as unsent
    private int _isDisposed;

    /// <param name="stream">A stream that is ready to carry bytes. The connection owns it from now on.</param>
    /// <param name="peer">The remote side.</param>
    /// <param name="local">The local side.</param>
    /// <param name="endSending">Signals the peer that no more bytes follow. It is called after all bytes are written.</param>
    /// <param name="place">The place of the connection within the limit. It is released when the connection ends.</param>
    public DuplexStreamConnection(
        Stream stream, in PeerIdentity peer, in PeerIdentity local, Func<ValueTask> endSending, ConnectionPlace? place) =>
        (_stream, Peer, Local, _endSending, _place) = (stream, peer, local, endSending, place);

    public PeerIdentity Peer { get; }

    public PeerIdentity Local { get; }

    public CoapScheme Scheme { get; init; } = CoapScheme.CoapTcp;

    public PeerCredentials? Credentials { get; init; }

    /// <summary>Returns the reason that the peer gave for closing.</summary>
    public Func<string?>? CloseReason { private get; init; }

    public string? EndReason => CloseReason?.Invoke();

    public bool HasMessageBoundaries { get; init; }

    public string? Refusal { get; private set; }

    /// <summary>Completes when the connection is disposed of.</summary>
    public Task Closed => _closed.Task;

    public bool IsBlocking => false;

    public Exception? Error => Volatile.Read(ref _error);

    private bool IsDisposed => Volatile.Read(ref _isDisposed) != 0;

    public void Attach(IStreamEvents events) => _events = events;

    public StreamOutcome Receive(Span<byte> buffer, out int count)
    {
        count = Math.Min(buffer.Length, _readEnd - _readAt);
        if (IsDisposed) { return StreamOutcome.Failed; }
        if (count == 0 && _isRefused)
        {
            _isRefused = false;
            return StreamOutcome.Refused;
        }
        if (count == 0) { return Error is not null ? StreamOutcome.Failed : _isEnded ? StreamOutcome.Ended : StreamOutcome.WouldBlock; }
        _read.AsSpan(_readAt, count).CopyTo(buffer);
        _readAt += count;
        if (_readAt == _readEnd) { ReleaseRead(); }
        return StreamOutcome.Done;
    }

    public StreamOutcome Send(ReadOnlySpan<byte> bytes, out int count)
    {
        count = 0;
        if (IsDisposed || Error is not null) { return StreamOutcome.Failed; }
        if (_begun == 0)
        {
            if (bytes.Length > LargestCopy || !_output.IsCompleted) { return StreamOutcome.WouldBlock; }
            var pooled = ArrayPool<byte>.Shared.Rent(bytes.Length);
            bytes.CopyTo(pooled);
            _output = WriteAsync(_output, pooled.AsMemory(0, bytes.Length), pooled);
            _begun = bytes.Length;
        }
        // A peer that does not read can hold up any write. The caller must not count these bytes as sent before they are.
        if (!_output.IsCompleted) { return StreamOutcome.WouldBlock; }
        (count, _begun) = (_begun, 0);
        return StreamOutcome.Done;
    }

    public void ArmReceive()
    {
        if (_readAt < _readEnd || _isEnded || _isRefused || Error is not null || IsDisposed) { _events!.OnReadable(); }
        else { _ = ReadAsync(); }
    }

    public void ArmSend(ReadOnlyMemory<byte> rest)
    {
        rest = rest[_begun..];
        _begun = 0;
        if (!rest.IsEmpty) { _output = WriteAsync(_output, rest); }
        _ = RaiseWritableAsync(_output);
    }

    public void EndSending() => _output = WriteAsync(_output, bytes: null);

    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0) { return; }
        _stream.Dispose();
        _place?.Leave();
        _closed.TrySetResult();
    }

    private async Task ReadAsync()
    {
        try
        {
            await _stream.ReadAsync(Memory<byte>.Empty).ConfigureAwait(false);
            var buffer = ArrayPool<byte>.Shared.Rent(ReadSize);
            var count = await _stream.ReadAsync(buffer).ConfigureAwait(false);
            (_read, _readAt, _readEnd) = (buffer, 0, count);
            if (count == 0)
            {
                _isEnded = true;
                ReleaseRead();
            }
        }
        catch (InputRefusedException exception)
        {
            (Refusal, _isRefused) = (exception.Message, true);
        }
        catch (Exception exception) when (IsFailure(exception))
        {
            Fail(exception);
        }
        _events!.OnReadable();
    }

    /// <summary>Writes the bytes after the earlier ones. Without bytes, ends the output. After a failure it does nothing.</summary>
    private async Task WriteAsync(Task earlier, ReadOnlyMemory<byte>? bytes, byte[]? pooled = null)
    {
        await earlier.ConfigureAwait(false);
        if (Error is not null) { return; }
        try
        {
            if (bytes is { } some) { await _stream.WriteAsync(some).ConfigureAwait(false); }
            else { await _endSending().ConfigureAwait(false); }
            // Only after a successful write: a failed one may still read from the array.
            if (pooled is not null) { ArrayPool<byte>.Shared.Return(pooled); }
        }
        catch (Exception exception) when (IsFailure(exception))
        {
            Fail(exception);
        }
    }

    private async Task RaiseWritableAsync(Task written)
    {
        await written.ConfigureAwait(false);
        _events!.OnWritable();
    }

    private static bool IsFailure(Exception exception) => exception is IOException or SocketException or ObjectDisposedException or InvalidOperationException;

    private void Fail(Exception exception) =>
        Interlocked.CompareExchange(ref _error, exception.InnerException as SocketException ?? exception, null);

    private void ReleaseRead()
    {
        if (_read.Length > 0) { ArrayPool<byte>.Shared.Return(_read); }
        (_read, _readAt, _readEnd) = ([], 0, 0);
    }
}
