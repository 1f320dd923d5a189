using System.Buffers;

namespace CoAP.Streams;

/// <summary>A part of what a connection has yet to send: small messages that were collected, or one large message whose payload lies where its sender has it.</summary>
internal sealed class OutputPiece
{
    private readonly byte[]? _pooled;
    private ReadOnlyMemory<byte> _start;
    private ReadOnlyMemory<byte> _payload;

    /// <summary>What was collected.</summary>
    /// <param name="pooled">Goes back to the pool.</param>
    /// <param name="start">Where in it the first byte is that has yet to be sent.</param>
    /// <param name="end">The end of the bytes.</param>
    /// <param name="answers">How many of them are answers.</param>
    public OutputPiece(byte[] pooled, int start, int end, long answers)
    {
        (_pooled, _start, AnswerBytes, HasBegun) = (pooled, pooled.AsMemory(start, end - start), answers, start > 0);
        Left = end - start;
    }

    /// <summary>A large message.</summary>
    /// <param name="head">What is before its payload.</param>
    /// <param name="message">The message.</param>
    /// <param name="isAnswer">Whether it is none of our requests.</param>
    public OutputPiece(ReadOnlyMemory<byte> head, CoapMessage message, bool isAnswer)
    {
        (_start, _payload, Message) = (head, message.Payload, message);
        Left = Size = head.Length + (long)message.Payload.Length;
        AnswerBytes = isAnswer ? Left : 0;
    }

    /// <summary>The large message; none for what was collected.</summary>
    public CoapMessage? Message { get; }

    /// <summary>The bytes of the large message.</summary>
    public long Size { get; }

    public long Left { get; private set; }

    public long AnswerBytes { get; }

    /// <summary>Whether the peer may have a part of it.</summary>
    public bool HasBegun { get; set; }

    /// <summary>Is called when its memory is needed no more, on the lane.</summary>
    public Action? Done { get; set; }

    /// <summary>What is to be sent next.</summary>
    public ReadOnlyMemory<byte> Next(int most)
    {
        var part = _start.IsEmpty ? _payload : _start;
        return part.Length > most ? part[..most] : part;
    }

    /// <summary>So many bytes were sent.</summary>
    public void Advance(int count)
    {
        HasBegun |= count > 0;
        Left -= count;
        if (_start.IsEmpty) { _payload = _payload[count..]; }
        else { _start = _start[count..]; }
    }

    /// <summary>It was sent, or will not be and nobody reads it.</summary>
    public void Release()
    {
        if (_pooled is not null) { ArrayPool<byte>.Shared.Return(_pooled); }
    }
}
