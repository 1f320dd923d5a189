using System.Buffers;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>The unsent output of a connection, collected during a turn of the lane and sent at its end. Holds no memory while it is empty.</summary>
/// <remarks>
/// Small messages are collected in one buffer and sent in one call. A large message becomes a piece in a queue, behind the buffer that was collected
/// before it. It is passed to the transport in slices, so that the progress of the peer is visible.
/// </remarks>
internal sealed class StreamOutput(IStreamConnection connection, LargeRequestBudget largeRequests)
{
    /// <summary>The largest buffer of the pool. Larger ones are on the heap of large objects, and the pool would keep them.</summary>
    public const int LargestBuffer = 64 << 10;

    private const int LeastRoom = 4096;
    private const int LargestSlice = 256 << 10;
    private const int SmallestSlice = 16 << 10;

    private byte[] _collected = [];
    private int _count;
    private int _responses;
    private LinkedList<OutputPiece>? _pieces;
    private long _queued;           // the bytes of the pieces
    private long _queuedResponses;
    private int _armed;             // the bytes of the first piece that the transport holds
    private long _passed;           // the bytes that the transport took or may have taken, and those that were withdrawn
    private int _slice = LargestSlice;

    /// <summary>The unsent bytes of large requests on all connections.</summary>
    public LargeRequestBudget LargeRequests => largeRequests;

    /// <summary>The number of unsent bytes.</summary>
    public long Unsent => _count + _queued;

    /// <summary>The position in the output at which the next message begins.</summary>
    public long Position => _passed + Unsent - _armed;

    /// <summary>The number of unsent bytes that belong to responses. A partly sent piece counts in full.</summary>
    public long UnsentResponses => _responses + _queuedResponses;

    /// <summary>The size of the responses to requests in progress, judged by the latest ones.</summary>
    public long ExpectedResponse { get; private set; }

    /// <summary>Whether the transport holds bytes until the peer reads.</summary>
    public bool IsArmed => _armed > 0;

    /// <summary>Whether the collected messages should be sent before a message of a size is appended.</summary>
    public bool IsFullWith(int size) => _count > 0 && _count + size > LargestBuffer;

    /// <summary>Appends a copy of a small message.</summary>
    public void Append(ReadOnlySpan<byte> bytes, bool isResponse)
    {
        if (IsFullWith(bytes.Length)) { Seal(sent: 0); }
        if (_count + bytes.Length > _collected.Length) { Grow(_count + bytes.Length); }
        bytes.CopyTo(_collected.AsSpan(_count));
        _count += bytes.Length;
        if (!isResponse) { return; }
        _responses += bytes.Length;
        Expect(bytes.Length);
    }

    /// <summary>Appends a large message without copying its payload.</summary>
    public void Append(ReadOnlyMemory<byte> head, CoapMessage message, bool isResponse)
    {
        Seal(sent: 0);
        Add(new OutputPiece(head, message, isResponse));
        // One large response must not keep a connection with a few slow requests from being read.
        if (isResponse) { Expect(LargestBuffer); }
    }

    /// <summary>Sends the output, unless the transport still holds earlier bytes; returns <see langword="false"/> if the connection is broken.</summary>
    public bool TryFlush()
    {
        if (IsArmed) { return true; }
        if (_queued > 0) { return TrySendPieces(); }
        if (_count == 0) { return true; }
        if (!TrySend(_collected.AsSpan(0, _count), out var sent)) { return false; }
        if (sent == _count)
        {
            Release(ref _collected);
            _count = _responses = 0;
            return true;
        }
        Seal(sent);
        Arm(_pieces!.First!.Value);
        return true;
    }

    /// <summary>Returns whether no byte at or after a position has reached the transport.</summary>
    public bool IsUnsent(long position) => _passed <= position;

    /// <summary>Called when the transport has sent the bytes that it held.</summary>
    /// <param name="wasSlow">Whether that took long.</param>
    public void OnSent(bool wasSlow)
    {
        if (!IsArmed) { return; }
        _slice = wasSlow ? Math.Max(_slice / 2, SmallestSlice) : Math.Min(_slice * 2, LargestSlice);
        var count = _armed;
        _armed = 0;
        Advance(count);
    }

    /// <summary>Returns the piece of a large message; <see langword="null"/> if the message is sent or was never queued.</summary>
    /// <remarks>A stage may have replaced the message on its way. A new message with the same payload still uses the memory of the old one.</remarks>
    public OutputPiece? Find(CoapMessage message)
    {
        for (var node = _pieces?.First; node is not null; node = node.Next)
        {
            if (node.Value.Message is { } queued && (queued == message || IsReplacement(queued, message))) { return node.Value; }
        }
        return null;
    }

    private static bool IsReplacement(CoapMessage queued, CoapMessage message) =>
        queued.Code.IsRequest == message.Code.IsRequest && queued.Token == message.Token && queued.Payload.Equals(message.Payload);

    /// <summary>Removes a large message; returns <see langword="false"/> if a part of it was sent.</summary>
    public bool TryWithdraw(OutputPiece piece)
    {
        if (piece.HasBegun || _pieces?.Find(piece) is not { } node) { return false; }
        _passed += piece.Left;
        Remove(node);
        return true;
    }

    /// <summary>Returns the large messages over a size of which nothing was sent yet.</summary>
    public List<OutputPiece> LargerThan(long size) => [.. (_pieces ?? []).Where(piece => piece.Size > size && !piece.HasBegun)];

    /// <summary>Drops the output. A buffer that the transport holds does not return to the pool, because the transport may still read it.</summary>
    public void Abandon()
    {
        Release(ref _collected);
        (_count, _responses) = (0, 0);
        while (_pieces?.First is { } node)
        {
            if (!IsArmed) { node.Value.Release(); }
            _armed = 0;
            Remove(node);
        }
    }

    private bool TrySend(ReadOnlySpan<byte> bytes, out int sent)
    {
        var isBroken = connection.Send(bytes, out sent) is StreamOutcome.Failed or StreamOutcome.Ended;
        // A blocking call that fails may have sent a part.
        _passed += isBroken && connection.IsBlocking ? bytes.Length : sent;
        return !isBroken;
    }

    private void Expect(int size) => ExpectedResponse += (size - ExpectedResponse) / 4;

    private bool TrySendPieces()
    {
        while (!IsArmed && _pieces!.First?.Value is { } piece)
        {
            var next = piece.Next(connection.IsBlocking ? int.MaxValue : _slice);
            if (next.Length > LeastRoom)
            {
                Arm(piece);
                return true;
            }
            if (!TrySend(next.Span, out var sent)) { return false; }
            var isAll = sent == next.Length;
            Advance(sent);
            if (!isAll) { Arm(piece); }
        }
        return IsArmed || _count == 0 || TryFlush();
    }

    private void Arm(OutputPiece piece)
    {
        // A blocking connection cuts slices itself. Each armed send costs it work on a thread.
        var next = piece.Next(connection.IsBlocking ? int.MaxValue : _slice);
        piece.HasBegun = true;
        _armed = next.Length;
        _passed += next.Length;
        connection.ArmSend(next);
    }

    private void Advance(int count)
    {
        var node = _pieces!.First!;
        var piece = node.Value;
        piece.Advance(count);
        _queued -= count;
        if (piece.IsLargeRequest) { largeRequests.Remove(count); }
        if (piece.Left > 0) { return; }
        piece.Release();
        Remove(node);
    }

    private void Remove(LinkedListNode<OutputPiece> node)
    {
        var piece = node.Value;
        _pieces!.Remove(node);
        _queued -= piece.Left;
        _queuedResponses -= piece.ResponseBytes;
        if (piece.IsLargeRequest) { largeRequests.Remove(piece.Left); }
        piece.Done?.Invoke();
    }

    private void Add(OutputPiece piece)
    {
        (_pieces ??= []).AddLast(piece);
        _queued += piece.Left;
        _queuedResponses += piece.ResponseBytes;
        if (piece.IsLargeRequest) { largeRequests.Add(piece.Left); }
    }

    // Moves the collected messages to the end of the queue.
    private void Seal(int sent)
    {
        if (_count == 0) { return; }
        Add(new OutputPiece(_collected, sent, _count, _responses));
        (_collected, _count, _responses) = ([], 0, 0);
    }

    private static void Release(ref byte[] buffer)
    {
        if (buffer.Length is > 0 and <= LargestBuffer) { ArrayPool<byte>.Shared.Return(buffer); }
        buffer = [];
    }

    private void Grow(int needed)
    {
        var size = Math.Max(Math.Max(LeastRoom, needed), Math.Min(2 * _collected.Length, LargestBuffer));
        var grown = size > LargestBuffer ? GC.AllocateUninitializedArray<byte>(size) : ArrayPool<byte>.Shared.Rent(size);
        _collected.AsSpan(0, _count).CopyTo(grown);
        Release(ref _collected);
        _collected = grown;
    }
}
