using System.Buffers;
using System.Globalization;
using System.Net.WebSockets;

namespace CoAP.Transports;

/// <summary>The messages of a WebSocket as bytes that are framed as over TCP, so that one kind of channel serves both (RFC 8323, section 4.3).</summary>
/// <remarks>
/// A WebSocket tells the length of a message, so there the Len field is zero and nothing extends it: what comes gets its length put in front,
/// what goes has it taken away. One read and one write at a time.
/// </remarks>
/// <param name="socket">Open; the stream's own from now on.</param>
/// <param name="limits">What is taken of its messages.</param>
/// <param name="below">What the WebSocket writes to and reads from, where it lets messages be gathered.</param>
internal sealed partial class WebSocketFrames(WebSocket socket, WebSocketLimits limits, GatheringStream? below = null) : Stream
{
    private const int LeastRoom = 1024;

    // What a message grows by in a frame of the WebSocket: a length of two bytes and a mask, for one of middle size.
    private const int FrameOverhead = 8;

    private readonly WebSocketMessageCutter _cutter = new(socket);
    private readonly Lock _gate = new();
    private bool _isReading;
    private bool _isDisposed;

    /// <summary>Why the peer closed, where it did for a reason.</summary>
    public string? Farewell => socket.CloseStatus is { } status && (status != WebSocketCloseStatus.NormalClosure || !string.IsNullOrEmpty(socket.CloseStatusDescription))
        ? string.Create(CultureInfo.InvariantCulture, $"WebSocket close code {(int)status} ({status})") + (string.IsNullOrEmpty(socket.CloseStatusDescription) ? "" : $": {socket.CloseStatusDescription}")
        : null;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Reads the messages that are there as far as they are whole; with an empty buffer, waits until there is something.</summary>
    /// <exception cref="IOException">The peer sent text, too much, too slowly, or what is no message. What came before it was read.</exception>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        BeginReading();
        try
        {
            var count = await ReadWholeAsync(buffer).ConfigureAwait(false);
            if (count == 0 && !HasWhole && _failure is { } failure)
            {
                if (_mustDiscard) { await DiscardAsync().ConfigureAwait(false); }
                throw failure;
            }
            if (!HasWhole && _received == 0) { Release(); }
            return count;
        }
        finally { EndReading(); }
    }

    /// <summary>Sends each message that is whole, and of one that is not what is there; several at once in as few pieces as possible.</summary>
    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        try
        {
            if (below is null || _cutter.IsOne(buffer.Span))
            {
                await _cutter.SendAsync(buffer, cancellationToken).ConfigureAwait(false);
                return;
            }
            await below.BeginAsync(buffer.Length + (FrameOverhead * LeastRoom)).ConfigureAwait(false);
            try { await _cutter.SendAsync(buffer, cancellationToken).ConfigureAwait(false); }
            finally { await below.EndAsync().ConfigureAwait(false); }
        }
        catch (WebSocketException exception)
        {
            throw new IOException($"The WebSocket failed: {exception.Message}", exception.InnerException ?? exception);
        }
    }

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException("WebSockets have no blocking calls.");

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("WebSockets have no blocking calls.");

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            socket.Dispose();
            // What a read has in hands is let go by that.
            lock (_gate)
            {
                _isDisposed = true;
                if (!_isReading) { ReleaseWhenReceived(); }
            }
        }
        base.Dispose(disposing);
    }

    private void Release()
    {
        if (_message.Length > 0) { ArrayPool<byte>.Shared.Return(_message); }
        (_message, _at, _end, _received) = ([], 0, 0, 0);
        LetGoRest();
        LetGoPatience();
    }

    private void LetGoRest()
    {
        _rest?.Dispose();
        _rest = null;
    }

    private void LetGoPatience()
    {
        _patience?.Dispose();
        _patience = null;
    }

    // A receive that nobody waits for writes to what is let go here until it ends, and it does so with the socket.
    private void ReleaseWhenReceived()
    {
        if (_receiving is not { IsCompleted: false } receiving)
        {
            Release();
            return;
        }
        receiving.ContinueWith(
            static (received, frames) =>
            {
                _ = received.Exception;
                ((WebSocketFrames)frames!).Release();
            },
            this, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
    }
}
