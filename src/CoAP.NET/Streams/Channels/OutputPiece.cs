using System.Buffers;

namespace CoAP.Streams;

/// <summary>A piece of unsent output: a buffer of small messages, or one large message whose payload stays in the memory of its sender.</summary>
internal sealed class OutputPiece
{
    private readonly byte[]? _pooled;
    private ReadOnlyMemory<byte> _start;
    private ReadOnlyMemory<byte> _payload;

    /// <summary>Creates a piece from a buffer of small messages.</summary>
    /// <param name="pooled">The buffer. <see cref="Release"/> returns it to the pool.</param>
    /// <param name="start">The index of the first unsent byte.</param>
    /// <param name="end">The index after the last byte.</param>
    /// <param name="responseBytes">The number of bytes that belong to responses.</param>
    public OutputPiece(byte[] pooled, int start, int end, long responseBytes)
    {
        (_pooled, _start, ResponseBytes, HasBegun) = (pooled, pooled.AsMemory(start, end - start), responseBytes, start > 0);
        Left = end - start;
    }

    /// <summary>Creates a piece from a large message.</summary>
    /// <param name="head">The bytes before the payload.</param>
    /// <param name="message">The message.</param>
    /// <param name="isResponse">Whether the message is not a request.</param>
    public OutputPiece(ReadOnlyMemory<byte> head, CoapMessage message, bool isResponse)
    {
        (_start, _payload, Message) = (head, message.Payload, message);
        Left = Size = head.Length + (long)message.Payload.Length;
        ResponseBytes = isResponse ? Left : 0;
    }

    /// <summary>The large message; <see langword="null"/> for a buffer of small ones.</summary>
    public CoapMessage? Message { get; }

    /// <summary>The size of the large message in bytes.</summary>
    public long Size { get; }

    /// <summary>The number of unsent bytes.</summary>
    public long Left { get; private set; }

    /// <summary>The number of bytes that belong to responses.</summary>
    public long ResponseBytes { get; }

    /// <summary>Whether it is a large message and no response.</summary>
    public bool IsLargeRequest => Message is not null && ResponseBytes == 0;

    /// <summary>Whether the peer may have received a part of it.</summary>
    public bool HasBegun { get; set; }

    /// <summary>Called on the lane when the memory of the message is no longer needed.</summary>
    public Action? Done { get; set; }

    /// <summary>Returns the bytes to send next.</summary>
    public ReadOnlyMemory<byte> Next(int maxLength)
    {
        var part = _start.IsEmpty ? _payload : _start;
        return part.Length > maxLength ? part[..maxLength] : part;
    }

    /// <summary>Counts sent bytes.</summary>
    public void Advance(int count)
    {
        HasBegun |= count > 0;
        Left -= count;
        if (_start.IsEmpty) { _payload = _payload[count..]; }
        else { _start = _start[count..]; }
    }

    /// <summary>Returns the buffer to the pool. It must not be read after that.</summary>
    public void Release()
    {
        if (_pooled is { Length: <= StreamOutput.LargestBuffer }) { ArrayPool<byte>.Shared.Return(_pooled); }
    }
}
