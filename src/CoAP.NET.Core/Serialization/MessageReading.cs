using System.Buffers;
using System.IO.Pipelines;

namespace CoAP.Serialization;

/// <summary>Reads messages from streams, pipes and sequences. The <see cref="MessageFramer"/> assembles them; only the waiting differs.</summary>
internal static class MessageReading
{
    private const int LongestStackStart = 32;

    /// <inheritdoc cref="CoapMessageSerializer.Read"/>
    public static ReadOutcome Read(CoapMessageSerializer format, ref ReadOnlySequence<byte> buffer, out CoapMessage? message, out FormatError error)
    {
        message = null;
        var extent = MeasureStart(format, buffer);
        var length = extent.Kind == MessageExtentKind.UntilEnd ? buffer.Length : extent.Length;
        error = length > Math.Min(format.MaxSize, Array.MaxLength) ? FormatError.MessageTooLarge : extent.Error;
        if (error != FormatError.None) { return ReadOutcome.Malformed; }
        if (extent.Kind == MessageExtentKind.AtLeast || length > buffer.Length) { return ReadOutcome.NeedMore; }
        var bytes = buffer.Slice(0, length);
        var isMessage = bytes.IsSingleSegment
            ? format.TryRead(bytes.FirstSpan, out message, out error, out _)
            : format.TryRead(bytes.ToArray().AsMemory(), out message, out error, out _);
        if (!isMessage) { return ReadOutcome.Malformed; }
        buffer = buffer.Slice(length);
        return ReadOutcome.Message;
    }

    public static CoapMessage? Read(CoapMessageSerializer format, Stream stream)
    {
        var framer = new MessageFramer(format);
        for (var end = LengthOf(stream); framer.TryMakeRoom(end - framer.Length);)
        {
            var room = framer.Room;
            framer.Advance(stream.Read(room.Array!, room.Offset, room.Count));
        }
        return Complete(format, framer);
    }

    /// <summary>Reads a stream whose bytes are all in memory, so that reading never waits. Errors are reported by the task.</summary>
    public static ValueTask<CoapMessage?> ReadMemory(CoapMessageSerializer format, Stream stream)
    {
        try
        {
            return new(Read(format, stream));
        }
        catch (Exception failure) when (failure is CoapFormatException or ObjectDisposedException)
        {
            return ValueTask.FromException<CoapMessage?>(failure);
        }
    }

    public static async ValueTask<CoapMessage?> ReadAsync(CoapMessageSerializer format, Stream stream, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(stream);
        MessageFramer framer = default;
        framer.Start(format);
        for (var end = LengthOf(stream); framer.TryMakeRoom(end - framer.Length);)
        {
            framer.Advance(await stream.ReadAsync(framer.Room, cancellationToken).ConfigureAwait(false));
        }
        return Complete(format, framer);
    }

    public static ValueTask<CoapMessage?> ReadAsync(CoapMessageSerializer format, PipeReader reader, CancellationToken cancellationToken)
    {
        if (!cancellationToken.IsCancellationRequested && reader.TryRead(out var result))
        {
            if (result.IsCanceled)
            {
                reader.AdvanceTo(result.Buffer.Start);
                return ValueTask.FromException<CoapMessage?>(Canceled());
            }
            try
            {
                if (TryTakeWhole(format, reader, result, out var message)) { return new(message); }
            }
            catch (CoapFormatException malformed)
            {
                return ValueTask.FromException<CoapMessage?>(malformed);
            }
        }
        return AssembleAsync(format, reader, cancellationToken);
    }

    // The usual case: the whole message is in the pipe, so there is nothing to assemble. Otherwise the bytes stay in the pipe.
    private static bool TryTakeWhole(CoapMessageSerializer format, PipeReader reader, in ReadResult result, out CoapMessage? message)
    {
        message = null;
        var buffer = result.Buffer;
        var isWhole = MeasureStart(format, buffer).Kind == MessageExtentKind.Exactly;
        var error = FormatError.None;
        var outcome = isWhole ? Read(format, ref buffer, out message, out error) : ReadOutcome.NeedMore;
        reader.AdvanceTo(buffer.Start);
        return outcome == ReadOutcome.Malformed ? throw new CoapFormatException(error, 0) : outcome == ReadOutcome.Message;
    }

    private static async ValueTask<CoapMessage?> AssembleAsync(CoapMessageSerializer format, PipeReader reader, CancellationToken cancellationToken)
    {
        MessageFramer framer = default;
        framer.Start(format);
        while (!framer.IsDone)
        {
            var result = await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
            reader.AdvanceTo(result.IsCanceled ? result.Buffer.Start : Take(result.Buffer, ref framer));
            if (result.IsCanceled) { throw Canceled(); }
            if (result.IsCompleted && !framer.IsDone) { framer.End(); }
        }
        return Complete(format, framer);
    }

    private static SequencePosition Take(in ReadOnlySequence<byte> buffer, ref MessageFramer framer)
    {
        var taken = 0L;
        foreach (var segment in buffer) { taken += framer.Take(segment); }
        return buffer.GetPosition(taken);
    }

    private static CoapMessage? Complete(CoapMessageSerializer format, in MessageFramer framer)
    {
        if (framer.Error != FormatError.None) { throw new CoapFormatException(framer.Error, framer.Length); }
        return framer.Length == 0 ? null : format.Deserialize((ReadOnlyMemory<byte>)framer.ToArray());
    }

    // The first bytes may be spread over segments. A format that needs more of them than fit on the stack gets an array.
    private static MessageExtent MeasureStart(CoapMessageSerializer format, in ReadOnlySequence<byte> buffer)
    {
        var extent = format.Measure(buffer.FirstSpan);
        if (buffer.IsSingleSegment || extent.Kind != MessageExtentKind.AtLeast) { return extent; }
        Span<byte> start = stackalloc byte[LongestStackStart];
        for (var length = (int)Math.Min(start.Length, buffer.Length); ; length = (int)extent.Length)
        {
            var bytes = length <= start.Length ? start[..length] : new byte[length];
            buffer.Slice(0, length).CopyTo(bytes);
            extent = format.Measure(bytes);
            if (extent.Kind != MessageExtentKind.AtLeast || extent.Length <= length || extent.Length > buffer.Length) { return extent; }
        }
    }

    // A negative number if the stream does not know its length.
    private static long LengthOf(Stream stream) => stream.CanSeek ? Math.Max(0, stream.Length - stream.Position) : -1;

    private static OperationCanceledException Canceled() => new("The pending read of the pipe was canceled.");
}
