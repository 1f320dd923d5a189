using System.Buffers;
using CoAP.Serialization;

namespace CoAP.Transports;

/// <summary>Assembles one message of a WebSocket and frames it as over TCP: it inserts the length of the message (RFC 8323, section 4.2).</summary>
/// <remarks>
/// The length is unknown until the message is complete. So the head of the message is in an array with space for the length, and the tail of a
/// large message is in a queue of pieces.
/// </remarks>
/// <param name="charge">The charge for the tail, and for a head over 4 KiB.</param>
internal sealed class WebSocketMessageBuffer(WebSocketCharge charge)
{
    private const int InitialHead = 1024;
    private const int LargestHead = 64 << 10;
    private const int LargestUncharged = 4 << 10;
    private const int TokenLengthBits = 0x0F;

    private byte[] _head = [];
    private int _start;             // the complete message begins here
    private int _end;               // and ends here, or continues in the tail
    private int _received;          // the end of the incomplete message; 0 if there is none
    private MappedByteQueue? _tail;

    // A message that ends too early cannot be framed. This CSM, which ends inside its option, stands for it.
    private static ReadOnlySpan<byte> TruncatedMessage => [0x10, 0xE1, 0x01];

    /// <summary>Whether bytes of a complete message are left to read.</summary>
    public bool HasMessage => _start < _end || (_tail is not null && _received == 0);

    /// <summary>Whether a message is incomplete.</summary>
    public bool IsReceiving => _received > 0;

    /// <summary>The received bytes of the incomplete message.</summary>
    public long ReceivedLength => _received - StreamHeader.MaxLength + (_tail?.Length ?? 0);

    /// <summary>Reads bytes of a complete message. Returns their number.</summary>
    public int Read(Span<byte> destination)
    {
        var count = Math.Min(destination.Length, _end - _start);
        _head.AsSpan(_start, count).CopyTo(destination);
        _start += count;
        if (_start < _end || !HasMessage) { return count; }
        count += _tail!.Read(destination[count..]);
        if (_tail.Length == 0) { ReleaseTail(); }
        return count;
    }

    /// <summary>Returns the memory for the next bytes of the message. Returns <see langword="false"/> if the account has no room left.</summary>
    public bool TryGetRoom(out Memory<byte> room)
    {
        if (_received == 0) { _received = StreamHeader.MaxLength; }     // space for the length
        if (_head.Length == 0) { _head = ArrayPool<byte>.Shared.Rent(InitialHead); }
        room = default;
        if (_received == _head.Length && _received < LargestHead && !TryGrow()) { return false; }
        if (_received == _head.Length) { return (_tail ??= new MappedByteQueue(charge)).TryGetRoom(out room); }
        room = _head.AsMemory(_received);
        return true;
    }

    /// <summary>Adds the bytes that were written to the memory of <see cref="TryGetRoom"/>.</summary>
    public void Add(int count)
    {
        _received = Math.Max(_received, StreamHeader.MaxLength);
        if (_tail is null) { _received += count; }
        else { _tail.Advance(count); }
    }

    /// <summary>Completes the message.</summary>
    public void Complete()
    {
        if (!TryInsertLength(_received)) { ReplaceTruncated(); }
        _received = 0;
    }

    /// <summary>Releases all memory.</summary>
    public void Release()
    {
        if (_head.Length > 0) { ArrayPool<byte>.Shared.Return(_head); }
        charge.Shrink(ChargeOf(_head));
        (_head, _start, _end, _received) = ([], 0, 0, 0);
        ReleaseTail();
    }

    private bool TryInsertLength(int end)
    {
        // An empty message may have no buffer either.
        if (end - StreamHeader.MaxLength < 2) { return false; }
        var bytes = _head.AsSpan(StreamHeader.MaxLength, end - StreamHeader.MaxLength);
        int position = 2, tokenLength = bytes[0] & TokenLengthBits;
        var (nibble, code) = (tokenLength, new CoapCode(bytes[1]));
        // A reserved token length is an error that the reader of the message detects.
        if (TokenFormat.ReadLength(bytes, ref position, ref tokenLength) == FormatError.Truncated) { return false; }
        var bodyLength = nibble == TokenLengthBits ? 0 : bytes.Length + (_tail?.Length ?? 0) - position - tokenLength;
        if (bodyLength < 0) { return false; }
        var start = StreamHeader.MaxLength + 2 - StreamHeader.GetLength(bodyLength);
        StreamHeader.Write(_head.AsSpan(start), bodyLength, code, nibble);
        (_start, _end) = (start, end);
        return true;
    }

    // The reader of the message detects that it ends too early, and sends an Abort (RFC 8323, section 5.6).
    private void ReplaceTruncated()
    {
        ReleaseTail();
        if (_head.Length == 0) { _head = ArrayPool<byte>.Shared.Rent(InitialHead); }
        TruncatedMessage.CopyTo(_head);
        (_start, _end) = (0, TruncatedMessage.Length);
    }

    private bool TryGrow()
    {
        var grown = ArrayPool<byte>.Shared.Rent(2 * _head.Length);
        if (!charge.TryGrow(ChargeOf(grown) - ChargeOf(_head)))
        {
            ArrayPool<byte>.Shared.Return(grown);
            return false;
        }
        _head.CopyTo(grown, 0);
        ArrayPool<byte>.Shared.Return(_head);
        _head = grown;
        return true;
    }

    // Small messages are not charged, because a charge takes a lock.
    private static int ChargeOf(byte[] head) => head.Length > LargestUncharged ? head.Length : 0;

    private void ReleaseTail()
    {
        _tail?.Dispose();
        _tail = null;
    }
}
