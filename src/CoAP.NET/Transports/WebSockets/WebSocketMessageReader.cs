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

    // Receives the rest of messages that are too large. Nobody reads it.
    private static readonly byte[] Waste = GC.AllocateUninitializedArray<byte>(DiscardSize);

    // "Try again later" (RFC 6455, section 7.4.1, and the registry of close codes).
    private const WebSocketCloseStatus TryAgainLater = (WebSocketCloseStatus)1013;
    private static readonly TimeSpan DiscardTime = TimeSpan.FromSeconds(1);

    private readonly WebSocketMessageBuffer _buffer = new(charge);
    private readonly Lock _gate = new();
    private WebSocketMessageTimeout? _messageTimeout;
    private Task<ValueWebSocketReceiveResult>? _receiving;
    private IOException? _failure;
    private long _skipped;          // the bytes of the current message that were not kept
    private bool _isSkipping;
    private bool _hasMore;
    private bool _mustDiscard;
    private bool _isEnded;
    private bool _isReading;
    private bool _isDisposed;

    /// <summary>The reason for which the peer's messages are no longer read; <see langword="null"/> while they are.</summary>
    public WebSocketRefusal? Refusal { get; private set; }

    /// <summary>Reads complete messages. With an empty buffer, waits until something arrives.</summary>
    /// <exception cref="InputRefusedException">The peer broke a rule. All earlier messages were read. Thrown once; later reads wait for
    /// the end.</exception>
    /// <exception cref="IOException">The WebSocket failed.</exception>
    public async ValueTask<int> ReadAsync(Memory<byte> destination)
    {
        BeginRead();
        try
        {
            var count = await ReadMessagesAsync(destination).ConfigureAwait(false);
            if (count == 0 && !_buffer.HasMessage)
            {
                if (_failure is { } failure)
                {
                    if (failure is InputRefusedException) { (_failure, _mustDiscard) = (null, true); }
                    throw failure;
                }
                if (_mustDiscard) { await DiscardAsync().ConfigureAwait(false); }
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
                    throw Refuse(TryAgainLater, "The account of the peer holds its share of the room for messages.");
                }
                var receive = ReceiveAsync(room);
                if (count > 0 && !receive.IsCompleted)
                {
                    // A complete message does not wait for the rest of the next one.
                    _receiving = receive.AsTask();
                    break;
                }
                Add(await receive.ConfigureAwait(false));
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
        if (!_isSkipping) { return _buffer.TryGetRoom(out room); }
        room = Waste;
        return true;
    }

    /// <summary>Returns the receive in progress, or starts the next one.</summary>
    private ValueTask<ValueWebSocketReceiveResult> ReceiveAsync(Memory<byte> room) => Interlocked.Exchange(ref _receiving, null) is { } receiving
        ? new(receiving)
        : socket.ReceiveAsync(room, _messageTimeout?.Token ?? CancellationToken.None);

    private void Add(ValueWebSocketReceiveResult result)
    {
        if (result.MessageType == WebSocketMessageType.Close)
        {
            _isEnded = true;
            Release();
            return;
        }
        if (result.MessageType == WebSocketMessageType.Text)
        {
            throw Refuse(WebSocketCloseStatus.InvalidMessageType, "A text message arrived, but CoAP messages are binary (RFC 8323, section 4.2).");
        }
        _hasMore = !_buffer.IsReceiving && !result.EndOfMessage;
        if (_hasMore) { return; }
        Keep(result.Count);
        if (!result.EndOfMessage)
        {
            (_messageTimeout ??= new WebSocketMessageTimeout(limits, charge)).OnReceived(result.Count);
            return;
        }
        StopTimeout();
        (_isSkipping, _skipped) = (false, 0);
        _buffer.Complete();
    }

    // Of a message that is too large, only the part up to the limit is kept. Its length is over the limit, too, so the channel refuses
    // the message as one over TCP: it answers a request with 4.13 and goes on.
    private void Keep(int count)
    {
        if (_isSkipping) { _skipped += count; }
        else { _buffer.Add(count); }
        _isSkipping = _buffer.ReceivedLength > limits.MaxMessageSize;
        if (_buffer.ReceivedLength + _skipped > limits.AbortAboveSize)
        {
            throw Refuse(
                WebSocketCloseStatus.MessageTooBig,
                $"A message has more than {limits.AbortAboveSize} bytes (AbortAboveSize); only messages of at most {limits.MaxMessageSize} bytes are accepted.");
        }
    }

    private InputRefusedException Refuse(WebSocketCloseStatus status, string reason)
    {
        Release();
        _isEnded = true;
        Refusal = new(status, reason);
        return new InputRefusedException(reason);
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
