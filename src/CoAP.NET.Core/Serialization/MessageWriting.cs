using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace CoAP.Serialization;

/// <summary>Writes messages to buffers, streams and pipes.</summary>
internal static class MessageWriting
{
    // A message up to this size is written in one piece, because copying costs less than a second write.
    private const int LargestSingleWrite = 4096;

    // A pipe is flushed after this many bytes of a payload, so that it never has to hold a large one as a whole.
    private const int PipeChunk = 65_536;

    public static void Write(CoapMessageSerializer format, IBufferWriter<byte> writer, CoapMessage message)
    {
        var head = format.GetHeadSize(message);
        if (message.Payload.Length <= LargestSingleWrite - head)
        {
            writer.Advance(format.Write(writer.GetSpan(head + message.Payload.Length), message));
            return;
        }
        writer.Advance(format.WriteHead(writer.GetSpan(head), message));
        writer.Write(message.Payload.Span);
    }

    public static void Write(CoapMessageSerializer format, Stream stream, CoapMessage message)
    {
        var start = RentStart(format, message, out var length, out var isWhole);
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

    public static async ValueTask WriteAsync(CoapMessageSerializer format, Stream stream, CoapMessage message, CancellationToken cancellationToken)
    {
        var start = RentStart(format, message, out var length, out var isWhole);
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

    public static async ValueTask WriteAsync(CoapMessageSerializer format, PipeWriter writer, CoapMessage message, CancellationToken cancellationToken)
    {
        if (message.Payload.Length <= PipeChunk)
        {
            Write(format, writer, message);
            ThrowIfCanceled(await writer.FlushAsync(cancellationToken).ConfigureAwait(false));
            return;
        }
        writer.Advance(format.WriteHead(writer.GetSpan(format.GetHeadSize(message)), message));
        for (var rest = message.Payload; !rest.IsEmpty;)
        {
            var length = Math.Min(rest.Length, PipeChunk);
            var result = await writer.WriteAsync(rest[..length], cancellationToken).ConfigureAwait(false);
            ThrowIfCanceled(result);
            if (result.IsCompleted) { return; }
            rest = rest[length..];
        }
    }

    // Inlined, it would exceed the inlining budget of the caller.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte[] RentStart(CoapMessageSerializer format, CoapMessage message, out int length, out bool isWhole)
    {
        var head = format.GetHeadSize(message);
        isWhole = message.Payload.Length <= LargestSingleWrite - head || message.Payload.IsEmpty;
        var start = ArrayPool<byte>.Shared.Rent(isWhole ? head + message.Payload.Length : head);
        length = isWhole ? format.Write(start, message) : format.WriteHead(start, message);
        return start;
    }

    private static void ThrowIfCanceled(FlushResult result)
    {
        if (result.IsCanceled) { throw new OperationCanceledException("The pending flush of the pipe was canceled."); }
    }
}
