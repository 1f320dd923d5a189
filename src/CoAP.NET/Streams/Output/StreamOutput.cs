using System.Buffers;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>What a connection has yet to send: collected during a turn of the lane and sent at its end. Holds no memory while there is nothing.</summary>
/// <remarks>
/// Small messages are collected in one buffer and go in one call. A large one stands in a line of pieces, with what was collected before it, and is
/// handed over in slices, so that it is seen whether the peer takes anything.
/// </remarks>
internal sealed class StreamOutput(IStreamConnection connection, StreamBudget budget)
{
    private const int LeastRoom = 4096;
    private const int LargestSlice = 256 << 10;
    private const int SmallestSlice = 16 << 10;

    private byte[] _collected = [];
    private int _count;
    private int _answers;
    private LinkedList<OutputPiece>? _pieces;
    private long _waiting;          // the bytes of the pieces
    private long _waitingAnswers;
    private int _armed;             // how many bytes of the first piece the transport has
    private int _slice = LargestSlice;

    /// <summary>Counts what waits on all connections.</summary>
    public StreamBudget Budget => budget;

    /// <summary>The bytes that are still here.</summary>
    public long Unsent => _count + _waiting;

    /// <summary>Those of them that answer the peer's requests; of a piece that is half sent, all.</summary>
    public long UnsentAnswers => _answers + _waitingAnswers;

    /// <summary>Whether the transport holds bytes until the peer makes room.</summary>
    public bool IsArmed => _armed > 0;

    public void Append(ReadOnlySpan<byte> bytes, bool isAnswer)
    {
        if (_count + bytes.Length > _collected.Length) { Grow(_count + bytes.Length); }
        bytes.CopyTo(_collected.AsSpan(_count));
        _count += bytes.Length;
        if (isAnswer) { _answers += bytes.Length; }
    }

    /// <summary>Appends a large message, which is not copied.</summary>
    public void Append(ReadOnlyMemory<byte> head, CoapMessage message, bool isAnswer)
    {
        Seal(sent: 0);
        Add(new OutputPiece(head, message, isAnswer));
    }

    /// <summary>Sends what was collected, unless the transport still has earlier bytes; <see langword="false"/> where the connection is broken.</summary>
    public bool TryFlush()
    {
        if (IsArmed) { return true; }
        if (_waiting > 0) { return TrySendPieces(); }
        if (_count == 0) { return true; }
        var outcome = connection.Send(_collected.AsSpan(0, _count), out var sent);
        if (outcome is StreamOutcome.Failed or StreamOutcome.Ended) { return false; }
        if (sent == _count)
        {
            Release(ref _collected);
            _count = _answers = 0;
            return true;
        }
        Seal(sent);
        Arm(_pieces!.First!.Value);
        return true;
    }

    /// <summary>The transport has sent what it held.</summary>
    /// <param name="wasSlow">Whether it took the peer long to take it.</param>
    public void OnSent(bool wasSlow)
    {
        if (!IsArmed) { return; }
        _slice = wasSlow ? Math.Max(_slice / 2, SmallestSlice) : Math.Min(_slice * 2, LargestSlice);
        var count = _armed;
        _armed = 0;
        Advance(count);
    }

    /// <summary>The large message, while it is here.</summary>
    public OutputPiece? Find(CoapMessage message)
    {
        for (var node = _pieces?.First; node is not null; node = node.Next)
        {
            if (node.Value.Message == message) { return node.Value; }
        }
        return null;
    }

    /// <summary>Takes back a large message of which nothing was sent yet; <see langword="false"/> where that is too late.</summary>
    public bool TryWithdraw(OutputPiece piece)
    {
        if (piece.HasBegun || _pieces?.Find(piece) is not { } node) { return false; }
        Remove(node);
        return true;
    }

    /// <summary>The large messages over a size of which nothing was sent yet.</summary>
    public List<OutputPiece> LargerThan(long size) => [.. (_pieces ?? []).Where(piece => piece.Size > size && !piece.HasBegun)];

    /// <summary>Nothing more is sent. Bytes that the transport holds stay away from the pool: it may read them a little longer.</summary>
    public void Abandon()
    {
        Release(ref _collected);
        (_count, _answers) = (0, 0);
        while (_pieces?.First is { } node)
        {
            if (!IsArmed) { node.Value.Release(); }
            _armed = 0;
            Remove(node);
        }
    }

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
            var outcome = connection.Send(next.Span, out var sent);
            if (outcome is StreamOutcome.Failed or StreamOutcome.Ended) { return false; }
            var isAll = sent == next.Length;
            Advance(sent);
            if (!isAll) { Arm(piece); }
        }
        return IsArmed || _count == 0 || TryFlush();
    }

    private void Arm(OutputPiece piece)
    {
        // A connection that waits cuts slices by itself: each one armed is a thread's work.
        var next = piece.Next(connection.IsBlocking ? int.MaxValue : _slice);
        piece.HasBegun = true;
        _armed = next.Length;
        connection.ArmSend(next);
    }

    private void Advance(int count)
    {
        var node = _pieces!.First!;
        var piece = node.Value;
        piece.Advance(count);
        _waiting -= count;
        budget.Remove(count);
        if (piece.Left > 0) { return; }
        piece.Release();
        Remove(node);
    }

    private void Remove(LinkedListNode<OutputPiece> node)
    {
        var piece = node.Value;
        _pieces!.Remove(node);
        _waiting -= piece.Left;
        _waitingAnswers -= piece.AnswerBytes;
        budget.Remove(piece.Left);
        piece.Done?.Invoke();
    }

    private void Add(OutputPiece piece)
    {
        (_pieces ??= []).AddLast(piece);
        _waiting += piece.Left;
        _waitingAnswers += piece.AnswerBytes;
        budget.Add(piece.Left);
    }

    // What was collected goes behind the pieces that wait already.
    private void Seal(int sent)
    {
        if (_count == 0) { return; }
        Add(new OutputPiece(_collected, sent, _count, _answers));
        (_collected, _count, _answers) = ([], 0, 0);
    }

    private static void Release(ref byte[] buffer)
    {
        if (buffer.Length > 0) { ArrayPool<byte>.Shared.Return(buffer); }
        buffer = [];
    }

    private void Grow(int needed)
    {
        var grown = ArrayPool<byte>.Shared.Rent(Math.Max(LeastRoom, Math.Max(needed, (int)Math.Min(2L * _collected.Length, Array.MaxLength))));
        _collected.AsSpan(0, _count).CopyTo(grown);
        Release(ref _collected);
        _collected = grown;
    }
}
