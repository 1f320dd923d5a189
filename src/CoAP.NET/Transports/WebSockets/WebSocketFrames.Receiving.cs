using System.Buffers;
using System.Net.WebSockets;
using CoAP.Serialization;

namespace CoAP.Transports;

/// <content>
/// How messages are put together. A large one has its start in an array and the rest in memory of its own, since nothing tells how long it will be;
/// both are written by a receive that may go on when nobody reads, and that the disposal of the socket ends.
/// </content>
internal sealed partial class WebSocketFrames
{
    private const int LargestStart = 64 << 10;

    // "Try again later" (RFC 6455, section 7.4.1, and the registry of close codes).
    private const WebSocketCloseStatus TryAgainLater = (WebSocketCloseStatus)1013;
    private const int TokenLengthBits = 0x0F;
    private const int DiscardSize = 16 << 10;
    private static readonly TimeSpan LingerTime = TimeSpan.FromSeconds(1);

    private byte[] _message = [];
    private int _at;                // from here to _end there is a message that is whole
    private int _end;
    private int _received;          // up to here there is one that is not
    private WebSocketRest? _rest;   // what the one or the other has behind its start
    private CancellationTokenSource? _patience;
    private bool _hasMore;
    private Task<ValueWebSocketReceiveResult>? _receiving;
    private IOException? _failure;
    private bool _mustDiscard;
    private bool _isEnded;

    private bool HasWhole => _at < _end || (_rest is not null && _received == 0);

    private void BeginReading()
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            _isReading = true;
        }
        _patience?.CancelAfter(limits.MessageTimeout);
    }

    private void EndReading()
    {
        // Until somebody reads on, it is none of the peer's time.
        _patience?.CancelAfter(Timeout.InfiniteTimeSpan);
        lock (_gate)
        {
            _isReading = false;
            if (_isDisposed) { ReleaseWhenReceived(); }
        }
    }

    private async ValueTask<int> ReadWholeAsync(Memory<byte> buffer)
    {
        var count = 0;
        try
        {
            while (true)
            {
                count += HandOut(buffer.Span[count..]);
                if (_isEnded || HasWhole || (buffer.IsEmpty && _hasMore)) { break; }
                if (!TryGetRoom(out var room))
                {
                    await RefuseAsync(TryAgainLater, $"{limits.Budget.Limit} bytes are in flight on all connections").ConfigureAwait(false);
                }
                var step = Receive(room);
                if (count > 0 && !step.IsCompleted)
                {
                    // Nobody waits for the rest of a message while there is one that is whole.
                    _receiving = step.AsTask();
                    break;
                }
                await TakeAsync(await step.ConfigureAwait(false)).ConfigureAwait(false);
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

    private IOException Explain(Exception exception) => exception is OperationCanceledException && _patience is { IsCancellationRequested: true }
        ? new IOException($"A message was not complete within {limits.MessageTimeout}.", exception)
        : new IOException($"The WebSocket failed: {exception.Message}", exception.InnerException ?? exception);

    private int HandOut(Span<byte> room)
    {
        var count = Math.Min(room.Length, _end - _at);
        _message.AsSpan(_at, count).CopyTo(room);
        _at += count;
        if (_at < _end || !HasWhole) { return count; }
        count += _rest!.Read(room[count..]);
        if (_rest.Length == 0) { LetGoRest(); }
        return count;
    }

    /// <summary>Where the next bytes go; <see langword="false"/> where the connections of the endpoint hold as much as they may.</summary>
    private bool TryGetRoom(out Memory<byte> room)
    {
        room = default;
        // An idle connection waits in a receive of no bytes, and holds no buffer.
        if (_receiving is not null || (_received == 0 && !_hasMore && below?.HasReadAhead != true)) { return true; }
        if (_received == 0) { _received = StreamHeader.MaxLength; }     // room for the length that is put in front
        if (_message.Length == 0) { _message = ArrayPool<byte>.Shared.Rent(LeastRoom); }
        if (_received == _message.Length && _received < LargestStart) { Grow(); }
        if (_received == _message.Length) { return (_rest ??= new WebSocketRest(limits.Budget)).TryGetRoom(out room); }
        room = _message.AsMemory(_received);
        return true;
    }

    /// <summary>The receive that is under way, or the next one.</summary>
    private ValueTask<ValueWebSocketReceiveResult> Receive(Memory<byte> room)
    {
        return Interlocked.Exchange(ref _receiving, null) is { } receiving ? new(receiving) : socket.ReceiveAsync(room, _patience?.Token ?? CancellationToken.None);
    }

    private ValueTask TakeAsync(ValueWebSocketReceiveResult result)
    {
        if (result.MessageType == WebSocketMessageType.Close)
        {
            _isEnded = true;
            Release();
            return default;
        }
        if (result.MessageType == WebSocketMessageType.Text) { return RefuseAsync(WebSocketCloseStatus.InvalidMessageType, "CoAP messages are binary (RFC 8323, section 4.3)"); }
        _hasMore = _received == 0 && !result.EndOfMessage;
        if (_hasMore) { return default; }
        _received = Math.Max(_received, StreamHeader.MaxLength);
        if (_rest is null) { _received += result.Count; }
        else { _rest.Advance(result.Count); }
        if (_received - StreamHeader.MaxLength + (_rest?.Length ?? 0) > limits.MaxMessageSize)
        {
            return RefuseAsync(WebSocketCloseStatus.MessageTooBig, $"messages of at most {limits.MaxMessageSize} bytes are taken");
        }
        if (!result.EndOfMessage)
        {
            _patience ??= new CancellationTokenSource(limits.MessageTimeout, limits.Time);
            return default;
        }
        LetGoPatience();
        var isMessage = TryPutLength(_received);
        _received = 0;
        return isMessage ? default : RefuseAsync(WebSocketCloseStatus.ProtocolError, "the message is cut off");
    }

    private bool TryPutLength(int end)
    {
        var bytes = _message.AsSpan(StreamHeader.MaxLength, end - StreamHeader.MaxLength);
        if (bytes.Length < 2) { return false; }
        int position = 2, tokenLength = bytes[0] & TokenLengthBits;
        var (nibble, code) = (tokenLength, new CoapCode(bytes[1]));
        // A reserved token length is left to whoever reads the message, and says so there.
        if (TokenFormat.ReadLength(bytes, ref position, ref tokenLength) == FormatError.Truncated) { return false; }
        var tail = nibble == TokenLengthBits ? 0 : bytes.Length + (_rest?.Length ?? 0) - position - tokenLength;
        if (tail < 0) { return false; }
        var start = StreamHeader.MaxLength + 2 - StreamHeader.GetLength(tail);
        StreamHeader.Write(_message.AsSpan(start), tail, code, nibble);
        (_at, _end) = (start, end);
        return true;
    }

    private async ValueTask RefuseAsync(WebSocketCloseStatus status, string reason)
    {
        Release();
        _isEnded = true;
        await socket.CloseOutputAsync(status, reason, CancellationToken.None).ConfigureAwait(false);
        if (below is not null) { await below.PushAsync().ConfigureAwait(false); }
        _mustDiscard = true;
        throw new IOException($"The WebSocket was closed: {reason}.");
    }

    // Closing while the peer still sends would answer it with a TCP reset, which may overtake the reason.
    private async ValueTask DiscardAsync()
    {
        _mustDiscard = false;
        using var patience = new CancellationTokenSource(LingerTime);
        var discarded = ArrayPool<byte>.Shared.Rent(DiscardSize);
        try
        {
            ValueWebSocketReceiveResult result;
            do { result = await socket.ReceiveAsync(discarded.AsMemory(), patience.Token).ConfigureAwait(false); }
            while (result.MessageType != WebSocketMessageType.Close);
        }
        catch (Exception exception) when (exception is OperationCanceledException or WebSocketException)
        {
            // The peer has left without a word, or does not come to an end.
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(discarded);
        }
    }

    private void Grow()
    {
        var grown = ArrayPool<byte>.Shared.Rent(2 * _message.Length);
        _message.CopyTo(grown, 0);
        ArrayPool<byte>.Shared.Return(_message);
        _message = grown;
    }
}
