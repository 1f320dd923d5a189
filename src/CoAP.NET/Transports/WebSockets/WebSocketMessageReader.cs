using System.Buffers;
using System.Net.WebSockets;

namespace CoAP.Transports;

/// <summary>Receives the messages of a WebSocket, enforces the limits on them, and returns complete ones.</summary>
/// <remarks>
/// A read returns complete messages without waiting for the rest of the next one. The receive of that rest then continues without a reader.
/// It writes to the buffer until it ends, and the disposal of the WebSocket ends it.
/// </remarks>
/// <param name="socket">An open WebSocket.</param>
/// <param name="limits">The limits on messages.</param>
/// <param name="charge">The charge for received bytes.</param>
/// <param name="stream">The stream under the WebSocket, if it reads ahead.</param>
internal sealed class WebSocketMessageReader(WebSocket socket, WebSocketLimits limits, WebSocketCharge charge, CoalescingStream? stream) : IDisposable
{
    private const int DiscardSize = 16 << 10;

    // "Try again later" (RFC 6455, section 7.4.1, and the registry of close codes).
    private const WebSocketCloseStatus TryAgainLater = (WebSocketCloseStatus)1013;
    private static readonly TimeSpan DiscardTime = TimeSpan.FromSeconds(1);

    private readonly WebSocketMessageBuffer _buffer = new(charge);
    private readonly Lock _gate = new();
    private WebSocketMessageTimeout? _messageTimeout;
    private Task<ValueWebSocketReceiveResult>? _receiving;
    private IOException? _failure;
    private bool _hasMore;
    private bool _mustDiscard;
    private bool _isEnded;
    private bool _isReading;
    private bool _isDisposed;

    /// <summary>Reads complete messages. With an empty buffer, waits until something arrives.</summary>
    /// <exception cref="IOException">The peer broke a limit. All earlier messages were read.</exception>
    public async ValueTask<int> ReadAsync(Memory<byte> destination)
    {
        BeginRead();
        try
        {
            var count = await ReadMessagesAsync(destination).ConfigureAwait(false);
            if (count == 0 && !_buffer.HasMessage && _failure is { } failure)
            {
                if (_mustDiscard) { await DiscardAsync().ConfigureAwait(false); }
                throw failure;
            }
            if (!_buffer.HasMessage && !_buffer.IsReceiving) { Release(); }
            return count;
        }
        finally { EndRead(); }
    }

    /// <summary>Releases all memory, as soon as no read and no receive uses it. The WebSocket must already be disposed of.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            if (!_isReading) { ReleaseWhenReceived(); }
        }
    }

    private void BeginRead()
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            _isReading = true;
        }
        _messageTimeout?.Start();
    }

    private void EndRead()
    {
        // The time until the next read does not count against the peer.
        _messageTimeout?.Pause();
        lock (_gate)
        {
            _isReading = false;
            if (_isDisposed) { ReleaseWhenReceived(); }
        }
    }

    private async ValueTask<int> ReadMessagesAsync(Memory<byte> destination)
    {
        var count = 0;
        try
        {
            while (true)
            {
                count += _buffer.Read(destination.Span[count..]);
                if (_isEnded || _buffer.HasMessage || (destination.IsEmpty && _hasMore)) { break; }
                if (!TryGetRoom(out var room))
                {
                    await RefuseAsync(TryAgainLater, "the account of the peer holds its share of the room for messages").ConfigureAwait(false);
                }
                var receive = ReceiveAsync(room);
                if (count > 0 && !receive.IsCompleted)
                {
                    // A complete message does not wait for the rest of the next one.
                    _receiving = receive.AsTask();
                    break;
                }
                await AddAsync(await receive.ConfigureAwait(false)).ConfigureAwait(false);
            }
        }
        catch (Exception exception) when (exception is WebSocketException or IOException or OperationCanceledException)
        {
            _isEnded = true;
            _failure = exception as IOException ?? Explain(exception);
            Release();
        }
        return count;
    }

    private IOException Explain(Exception exception) => exception is OperationCanceledException && _messageTimeout?.Reason is { } reason
        ? new IOException(reason, exception)
        : new IOException($"The WebSocket failed: {exception.Message}", exception.InnerException ?? exception);

    /// <summary>Returns the memory for the next bytes. Returns <see langword="false"/> if the endpoint has no room left.</summary>
    private bool TryGetRoom(out Memory<byte> room)
    {
        room = default;
        // An idle connection waits in a zero-byte receive and holds no buffer.
        if (_receiving is not null || (!_buffer.IsReceiving && !_hasMore && stream?.HasReadAhead != true)) { return true; }
        return _buffer.TryGetRoom(out room);
    }

    /// <summary>Returns the receive in progress, or starts the next one.</summary>
    private ValueTask<ValueWebSocketReceiveResult> ReceiveAsync(Memory<byte> room) => Interlocked.Exchange(ref _receiving, null) is { } receiving
        ? new(receiving)
        : socket.ReceiveAsync(room, _messageTimeout?.Token ?? CancellationToken.None);

    private ValueTask AddAsync(ValueWebSocketReceiveResult result)
    {
        if (result.MessageType == WebSocketMessageType.Close)
        {
            _isEnded = true;
            Release();
            return default;
        }
        if (result.MessageType == WebSocketMessageType.Text)
        {
            return RefuseAsync(WebSocketCloseStatus.InvalidMessageType, "CoAP messages are binary (RFC 8323, section 4.2)");
        }
        _hasMore = !_buffer.IsReceiving && !result.EndOfMessage;
        if (_hasMore) { return default; }
        _buffer.Add(result.Count);
        if (_buffer.ReceivedLength > limits.MaxMessageSize)
        {
            return RefuseAsync(WebSocketCloseStatus.MessageTooBig, $"only messages of at most {limits.MaxMessageSize} bytes are accepted");
        }
        if (!result.EndOfMessage)
        {
            (_messageTimeout ??= new WebSocketMessageTimeout(limits, charge)).OnReceived(result.Count);
            return default;
        }
        StopTimeout();
        _buffer.Complete();
        return default;
    }

    private async ValueTask RefuseAsync(WebSocketCloseStatus status, string reason)
    {
        Release();
        _isEnded = true;
        await socket.CloseOutputAsync(status, reason, CancellationToken.None).ConfigureAwait(false);
        if (stream is not null) { await stream.FlushBatchAsync().ConfigureAwait(false); }
        _mustDiscard = true;
        throw new IOException($"The WebSocket was closed: {reason}.");
    }

    // Closing a connection while the peer still sends causes a TCP reset, which may overtake the reason.
    private async ValueTask DiscardAsync()
    {
        _mustDiscard = false;
        using var timeout = new CancellationTokenSource(DiscardTime);
        var discarded = ArrayPool<byte>.Shared.Rent(DiscardSize);
        try
        {
            ValueWebSocketReceiveResult result;
            do { result = await socket.ReceiveAsync(discarded.AsMemory(), timeout.Token).ConfigureAwait(false); }
            while (result.MessageType != WebSocketMessageType.Close);
        }
        catch (Exception exception) when (exception is OperationCanceledException or WebSocketException)
        {
            // The peer has left without a Close, or does not stop sending.
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(discarded);
        }
    }

    private void Release()
    {
        _buffer.Release();
        StopTimeout();
    }

    private void StopTimeout()
    {
        _messageTimeout?.Dispose();
        _messageTimeout = null;
    }

    // A receive without a reader still writes to the buffer. It ends with the WebSocket.
    private void ReleaseWhenReceived()
    {
        if (_receiving is not { IsCompleted: false } receiving)
        {
            Release();
            return;
        }
        receiving.ContinueWith(
            static (received, reader) =>
            {
                _ = received.Exception;
                ((WebSocketMessageReader)reader!).Release();
            },
            this, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
    }
}
