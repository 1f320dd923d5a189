using System.Buffers;
using System.Globalization;
using System.Net.WebSockets;
using CoAP.Serialization;

namespace CoAP.Transports;

/// <summary>The messages of a WebSocket as bytes that are framed as over TCP, so that one kind of channel serves both (RFC 8323, section 4.2).</summary>
/// <remarks>
/// A WebSocket tells the length of a message, so there the Len field is zero and nothing extends it: what comes gets its length put in front,
/// what goes has it taken away. One read and one write at a time.
/// </remarks>
/// <param name="socket">Open; the stream's own from now on.</param>
/// <param name="maxMessageSize">The bytes of a message that are taken at the most.</param>
/// <param name="below">What the WebSocket writes to and reads from, where it lets messages be gathered.</param>
internal sealed class WebSocketFrames(WebSocket socket, long maxMessageSize, GatheringStream? below = null) : Stream
{
    private const int LeastRoom = 1024;
    private const int TokenLengthBits = 0x0F;
    private const int DiscardSize = 16 << 10;
    private static readonly TimeSpan LingerTime = TimeSpan.FromSeconds(1);

    // What stands for a message that is shorter than its start says, and cannot be framed: a CSM that ends inside its option.
    private static ReadOnlySpan<byte> CutOff => [0x10, 0xE1, 0x01];

    // What a message grows by in a frame of the WebSocket: a length of two bytes and a mask, for one of middle size.
    private const int FrameOverhead = 8;

    private readonly WebSocketMessageCutter _cutter = new(socket);
    private byte[] _message = [];
    private int _at;                // from here to _end there is a message that is whole
    private int _end;
    private int _received;          // up to here there is one that is not
    private bool _hasMore;
    private Task<ValueWebSocketReceiveResult>? _receiving;
    private IOException? _failure;
    private bool _mustDiscard;
    private bool _isEnded;

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
    /// <exception cref="IOException">The peer sent text, or too much. What came before it was read.</exception>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var count = 0;
        try
        {
            while (true)
            {
                count += HandOut(buffer.Span[count..]);
                if (_isEnded || _at < _end || (buffer.IsEmpty && _hasMore)) { break; }
                var step = Receive();
                if (count > 0 && !step.IsCompleted)
                {
                    // Nobody waits for the rest of a message while there is one that is whole.
                    _receiving = step.AsTask();
                    break;
                }
                await TakeAsync(await step.ConfigureAwait(false)).ConfigureAwait(false);
            }
        }
        catch (Exception exception) when (exception is WebSocketException or IOException)
        {
            _isEnded = true;
            _failure = exception as IOException ?? new IOException($"The WebSocket failed: {exception.Message}", exception.InnerException ?? exception);
        }
        if (count == 0 && _at == _end && _failure is { } failure)
        {
            if (_mustDiscard) { await DiscardAsync().ConfigureAwait(false); }
            throw failure;
        }
        if (_at == _end && _received == 0) { Release(); }
        return count;
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
        if (disposing) { socket.Dispose(); }
        base.Dispose(disposing);
    }

    private int HandOut(Span<byte> room)
    {
        var count = Math.Min(room.Length, _end - _at);
        _message.AsSpan(_at, count).CopyTo(room);
        _at += count;
        return count;
    }

    /// <summary>The receive that is under way, or the next one.</summary>
    private ValueTask<ValueWebSocketReceiveResult> Receive()
    {
        if (Interlocked.Exchange(ref _receiving, null) is { } receiving) { return new(receiving); }
        // An idle connection waits in a receive of no bytes, and holds no buffer.
        if (_received == 0 && !_hasMore && below?.HasReadAhead != true) { return socket.ReceiveAsync(Memory<byte>.Empty, CancellationToken.None); }
        if (_received == 0) { _received = StreamHeader.MaxLength; }     // room for the length that is put in front
        if (_message.Length == 0) { _message = ArrayPool<byte>.Shared.Rent(LeastRoom); }
        if (_received == _message.Length) { Grow(); }
        return socket.ReceiveAsync(_message.AsMemory(_received), CancellationToken.None);
    }

    private ValueTask TakeAsync(ValueWebSocketReceiveResult result)
    {
        if (result.MessageType == WebSocketMessageType.Close)
        {
            _isEnded = true;
            return default;
        }
        if (result.MessageType == WebSocketMessageType.Text) { return RefuseAsync(WebSocketCloseStatus.InvalidMessageType, "CoAP messages are binary (RFC 8323, section 4.2)"); }
        _hasMore = _received == 0 && !result.EndOfMessage;
        if (_hasMore) { return default; }
        _received = Math.Max(_received, StreamHeader.MaxLength) + result.Count;
        if (_received - StreamHeader.MaxLength > maxMessageSize) { return RefuseAsync(WebSocketCloseStatus.MessageTooBig, $"messages of at most {maxMessageSize} bytes are taken"); }
        if (!result.EndOfMessage) { return default; }
        if (!TryPutLength(_received)) { PutCutOff(); }
        _received = 0;
        return default;
    }

    // Whoever reads the messages says that it ends too early, with an Abort (RFC 8323, section 5.6).
    private void PutCutOff()
    {
        if (_message.Length == 0) { _message = ArrayPool<byte>.Shared.Rent(LeastRoom); }
        CutOff.CopyTo(_message);
        (_at, _end) = (0, CutOff.Length);
    }

    private bool TryPutLength(int end)
    {
        // For a message of no bytes there may be no buffer either.
        if (end - StreamHeader.MaxLength < 2) { return false; }
        var bytes = _message.AsSpan(StreamHeader.MaxLength, end - StreamHeader.MaxLength);
        int position = 2, tokenLength = bytes[0] & TokenLengthBits;
        var (nibble, code) = (tokenLength, new CoapCode(bytes[1]));
        // A reserved token length is left to whoever reads the message, and says so there.
        if (TokenFormat.ReadLength(bytes, ref position, ref tokenLength) == FormatError.Truncated) { return false; }
        var tail = nibble == TokenLengthBits ? 0 : bytes.Length - position - tokenLength;
        if (tail < 0) { return false; }
        var start = StreamHeader.MaxLength + 2 - StreamHeader.GetLength(tail);
        StreamHeader.Write(_message.AsSpan(start), tail, code, nibble);
        (_at, _end) = (start, end);
        return true;
    }

    private async ValueTask RefuseAsync(WebSocketCloseStatus status, string reason)
    {
        (_at, _end, _received, _isEnded) = (0, 0, 0, true);
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
        var grown = ArrayPool<byte>.Shared.Rent((int)Math.Min(Array.MaxLength, 2L * _message.Length));
        _message.CopyTo(grown, 0);
        ArrayPool<byte>.Shared.Return(_message);
        _message = grown;
    }

    private void Release()
    {
        if (_message.Length > 0) { ArrayPool<byte>.Shared.Return(_message); }
        (_message, _at, _end) = ([], 0, 0);
    }
}
