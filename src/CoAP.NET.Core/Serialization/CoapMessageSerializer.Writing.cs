using System.Buffers;
using System.IO.Pipelines;

namespace CoAP.Serialization;

/// <content>Writing to buffers, streams and pipes.</content>
public abstract partial class CoapMessageSerializer
{
    // Up to here a message goes out in one piece: copying costs less than a second write.
    private const int LargestSingleWrite = 4096;

    // A pipe is flushed after so much of a payload, so that it never has to hold a large one whole.
    private const int PipeChunk = 65_536;

    /// <summary>Writes the message to a buffer; <see cref="PipeWriter"/>s are not flushed.</summary>
    /// <exception cref="ArgumentException">The form cannot carry the message.</exception>
    public void Serialize(IBufferWriter<byte> writer, CoapMessage message)
    {
        ArgumentNullException.ThrowIfNull(writer);
        var head = GetHeadSize(message);
        if (message.Payload.Length <= LargestSingleWrite - head)
        {
            writer.Advance(Write(writer.GetSpan(head + message.Payload.Length), message));
            return;
        }
        writer.Advance(WriteHead(writer.GetSpan(head), message));
        writer.Write(message.Payload.Span);
    }

    /// <summary>Writes the message to a stream: a small one in one piece, the payload of a large one by itself and without copying it.</summary>
    /// <exception cref="ArgumentException">The form cannot carry the message.</exception>
    public void Serialize(Stream stream, CoapMessage message)
    {
        ArgumentNullException.ThrowIfNull(stream);
        var start = RentStart(message, out var length, out var isWhole);
        try
        {
            stream.Write(start, 0, length);
            if (!isWhole) { stream.Write(message.Payload.Span); }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(start);
        }
    }

    /// <inheritdoc cref="Serialize(System.IO.Stream, CoapMessage)"/>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async ValueTask SerializeAsync(Stream stream, CoapMessage message, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        var start = RentStart(message, out var length, out var isWhole);
        try
        {
            await stream.WriteAsync(start.AsMemory(0, length), cancellationToken).ConfigureAwait(false);
            if (!isWhole) { await stream.WriteAsync(message.Payload, cancellationToken).ConfigureAwait(false); }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(start);
        }
    }

    /// <summary>Writes the message to a pipe and flushes it; a large payload goes piece by piece as the reader takes it. Ends early where
    /// the reader has completed.</summary>
    /// <exception cref="ArgumentException">The form cannot carry the message.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled, or the pending flush was.</exception>
    public async ValueTask SerializeAsync(PipeWriter writer, CoapMessage message, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(writer);
        if (message.Payload.Length <= PipeChunk)
        {
            Serialize(writer, message);
            ThrowIfCanceled(await writer.FlushAsync(cancellationToken).ConfigureAwait(false));
            return;
        }
        writer.Advance(WriteHead(writer.GetSpan(GetHeadSize(message)), message));
        for (var rest = message.Payload; !rest.IsEmpty;)
        {
            var length = Math.Min(rest.Length, PipeChunk);
            var result = await writer.WriteAsync(rest[..length], cancellationToken).ConfigureAwait(false);
            ThrowIfCanceled(result);
            if (result.IsCompleted) { return; }
            rest = rest[length..];
        }
    }

    private byte[] RentStart(CoapMessage message, out int length, out bool isWhole)
    {
        var head = GetHeadSize(message);
        isWhole = message.Payload.Length <= LargestSingleWrite - head || message.Payload.IsEmpty;
        var start = ArrayPool<byte>.Shared.Rent(isWhole ? head + message.Payload.Length : head);
        length = isWhole ? Write(start, message) : WriteHead(start, message);
        return start;
    }

    private static void ThrowIfCanceled(FlushResult result)
    {
        if (result.IsCanceled) { throw new OperationCanceledException("The pending flush of the pipe was cancelled."); }
    }
}
