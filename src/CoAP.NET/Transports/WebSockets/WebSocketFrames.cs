using System.Buffers;
using System.Net.WebSockets;
using CoAP.Serialization;

namespace CoAP.Transports;

/// <summary>The messages of a WebSocket as bytes that are framed as over TCP, so that one kind of channel serves both (RFC 8323, section 4.3).</summary>
/// <remarks>
/// A WebSocket tells the length of a message, so there the Len field is zero and nothing extends it: what comes gets its length put in front,
/// what goes has it taken away. One read and one write at a time.
/// </remarks>
internal sealed class WebSocketFrames(WebSocket socket, WebSocketLimits limits) : Stream
{
    private const int LeastRoom = 1024;
    private const int LargestStart = 64 << 10;

    // "Try again later" (RFC 6455, section 7.4.1, and the registry of close codes).
    private const WebSocketCloseStatus TryAgainLater = (WebSocketCloseStatus)1013;
    private const int TokenLengthBits = 0x0F;
    private const int DiscardSize = 16 << 10;
    private static readonly TimeSpan LingerTime = TimeSpan.FromSeconds(1);

    private readonly WebSocketMessageCutter _cutter = new(socket);
    private readonly Lock _gate = new();
    private WebSocketRest? _rest;
    private bool _isReading;
    private bool _isDisposed;
    private byte[] _message = [];
    private int _at;
    private int _end;
    private bool _isEnded;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Reads what is there of the next message; with an empty buffer, waits until there is something.</summary>
    /// <exception cref="IOException">The peer sent text, too much, too slowly, or what is no message.</exception>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            _isReading = true;
        }
        try
        {
            if (_at == _end && _rest is null && !_isEnded)
            {
                if (buffer.IsEmpty) { await WaitAsync(cancellationToken).ConfigureAwait(false); }
                else { await ReceiveAsync(cancellationToken).ConfigureAwait(false); }
            }
            return Take(buffer.Span);
        }
        catch (WebSocketException exception)
        {
            throw new IOException($"The WebSocket failed: {exception.Message}", exception.InnerException ?? exception);
        }
        finally { EndReading(); }
    }

    /// <summary>Sends each message that is whole, and of one that is not what is there.</summary>
    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        try { await _cutter.SendAsync(buffer, cancellationToken).ConfigureAwait(false); }
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
                if (!_isReading) { Release(); }
            }
        }
        base.Dispose(disposing);
    }

    // An idle connection holds no buffer.
    private async ValueTask WaitAsync(CancellationToken cancellationToken)
    {
        var result = await socket.ReceiveAsync(Memory<byte>.Empty, cancellationToken).ConfigureAwait(false);
        _isEnded = result.MessageType == WebSocketMessageType.Close;
    }

    private async ValueTask ReceiveAsync(CancellationToken cancellationToken)
    {
        var end = StreamHeader.MaxLength;       // room for the length that is put in front
        _message = ArrayPool<byte>.Shared.Rent(LeastRoom);
        if (await ReceiveAsync(end, cancellationToken).ConfigureAwait(false) is { } first)
        {
            end += first.Count;
            if (!first.EndOfMessage) { end = await ReceiveRestAsync(end).ConfigureAwait(false); }
            if (!_isEnded && !TryPutLength(end))
            {
                throw await RefuseAsync(WebSocketCloseStatus.ProtocolError, "the message is cut off").ConfigureAwait(false);
            }
        }
    }

    private async ValueTask<int> ReceiveRestAsync(int end)
    {
        using var patience = new CancellationTokenSource(limits.MessageTimeout, limits.Time);
        try
        {
            while (await ReceiveAsync(end, patience.Token).ConfigureAwait(false) is { } part)
            {
                if (_rest is null) { end += part.Count; }
                else { _rest.Advance(part.Count); }
                if (part.EndOfMessage) { break; }
            }
            return end;
        }
        catch (OperationCanceledException exception)
        {
            throw new IOException($"A message was not complete within {limits.MessageTimeout}.", exception);
        }
    }

    /// <summary>Receives what comes next; nothing at the end.</summary>
    private async ValueTask<ValueWebSocketReceiveResult?> ReceiveAsync(int end, CancellationToken cancellationToken)
    {
        if (end == _message.Length && end < LargestStart) { Grow(); }
        Memory<byte> room = default;
        if (end < _message.Length) { room = _message.AsMemory(end); }
        else if (!(_rest ??= new WebSocketRest(limits.Budget)).TryGetRoom(out room))
        {
            throw await RefuseAsync(TryAgainLater, $"{limits.Budget.Limit} bytes are in flight on all connections").ConfigureAwait(false);
        }
        var result = await socket.ReceiveAsync(room, cancellationToken).ConfigureAwait(false);
        if (result.MessageType == WebSocketMessageType.Text)
        {
            throw await RefuseAsync(WebSocketCloseStatus.InvalidMessageType, "CoAP messages are binary (RFC 8323, section 4.3)").ConfigureAwait(false);
        }
        if (result.MessageType == WebSocketMessageType.Close)
        {
            _isEnded = true;
            Release();
            return null;
        }
        if (end - StreamHeader.MaxLength + (_rest?.Length ?? 0) + result.Count > limits.MaxMessageSize)
        {
            throw await RefuseAsync(WebSocketCloseStatus.MessageTooBig, $"messages of at most {limits.MaxMessageSize} bytes are taken").ConfigureAwait(false);
        }
        return result;
    }

    private int Take(Span<byte> buffer)
    {
        var count = Math.Min(buffer.Length, _end - _at);
        _message.AsSpan(_at, count).CopyTo(buffer);
        _at += count;
        if (_at < _end) { return count; }
        if (_rest is not null) { count += _rest.Read(buffer[count..]); }
        if (_rest is null or { Length: 0 }) { Release(); }
        return count;
    }

    private void EndReading()
    {
        lock (_gate)
        {
            _isReading = false;
            if (_isDisposed) { Release(); }
        }
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

    private async ValueTask<IOException> RefuseAsync(WebSocketCloseStatus status, string reason)
    {
        Release();
        _isEnded = true;
        await socket.CloseOutputAsync(status, reason, CancellationToken.None).ConfigureAwait(false);
        await DiscardAsync().ConfigureAwait(false);
        return new IOException($"The WebSocket was closed: {reason}.");
    }

    // Closing while the peer still sends would answer it with a TCP reset, which may overtake the reason.
    private async ValueTask DiscardAsync()
    {
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

    private void Release()
    {
        if (_message.Length > 0) { ArrayPool<byte>.Shared.Return(_message); }
        (_message, _at, _end) = ([], 0, 0);
        _rest?.Dispose();
        _rest = null;
    }
}
