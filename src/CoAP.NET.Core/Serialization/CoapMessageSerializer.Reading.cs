using System.Buffers;
using System.IO.Pipelines;

namespace CoAP.Serialization;

/// <content>Reading from streams and pipes. One framer puts the message together; only the waiting differs.</content>
public abstract partial class CoapMessageSerializer
{
    private const int LongestStackStart = 32;

    /// <summary>Reads the next message of a stream.</summary>
    /// <param name="stream">
    /// A form that tells its length reads one message and not a byte further, by several small reads: wrap what is dear to read in a
    /// <see cref="BufferedStream"/>. Any other form reads to the end.
    /// </param>
    /// <returns>The message, or <see langword="null"/> where the stream is at its end.</returns>
    /// <exception cref="CoapFormatException">The bytes are no message, end inside one or are more than <see cref="MaxSize"/>.</exception>
    public CoapMessage? Deserialize(Stream stream)
    {
        var framer = new MessageFramer(this);
        for (var end = End(stream); !framer.IsDone;)
        {
            var room = framer.GetRoom(end - framer.Length);
            framer.Advance(Checked(stream.Read(room.Span), room.Length));
        }
        return Complete(framer);
    }

    /// <inheritdoc cref="Deserialize(System.IO.Stream)"/>
    /// <remarks>Completes synchronously where the stream does. Cancelled inside a message, the stream is left there.</remarks>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public ValueTask<CoapMessage?> DeserializeAsync(Stream stream, CancellationToken cancellationToken = default) =>
        stream?.GetType() == typeof(MemoryStream) && !cancellationToken.IsCancellationRequested
            ? ReadMemory(stream)
            : AssembleAsync(stream!, cancellationToken);

    /// <summary>Reads the next message of a pipe and not a byte further. What comes is taken out at once, so a message may be larger
    /// than the pipe.</summary>
    /// <param name="reader">Where to read from; bytes of a malformed message may have been consumed.</param>
    /// <param name="cancellationToken">Cancelled inside a message, the rest of it is left in the pipe.</param>
    /// <returns>The message, or <see langword="null"/> where the pipe was completed. Synchronously where the bytes are there.</returns>
    /// <exception cref="CoapFormatException">The bytes are no message, end inside one or are more than <see cref="MaxSize"/>.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled, or the pending read was.</exception>
    public ValueTask<CoapMessage?> DeserializeAsync(PipeReader reader, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(reader);
        if (!cancellationToken.IsCancellationRequested && reader.TryRead(out var result))
        {
            if (result.IsCanceled)
            {
                reader.AdvanceTo(result.Buffer.Start);
                return ValueTask.FromException<CoapMessage?>(Cancelled());
            }
            try
            {
                if (TryTakeWhole(reader, result, out var message)) { return new(message); }
            }
            catch (CoapFormatException malformed)
            {
                return ValueTask.FromException<CoapMessage?>(malformed);
            }
        }
        return AssembleAsync(reader, cancellationToken);
    }

    // The bytes are there, so there is nothing to wait for.
    private ValueTask<CoapMessage?> ReadMemory(Stream stream)
    {
        try
        {
            return new(Deserialize(stream));
        }
        catch (Exception failure) when (failure is CoapFormatException or ObjectDisposedException)
        {
            return ValueTask.FromException<CoapMessage?>(failure);
        }
    }

    private async ValueTask<CoapMessage?> AssembleAsync(Stream stream, CancellationToken cancellationToken)
    {
        var framer = new MessageFramer(this);
        for (var end = End(stream); !framer.IsDone;)
        {
            var room = framer.GetRoom(end - framer.Length);
            framer.Advance(Checked(await stream.ReadAsync(room, cancellationToken).ConfigureAwait(false), room.Length));
        }
        return Complete(framer);
    }

    private async ValueTask<CoapMessage?> AssembleAsync(PipeReader reader, CancellationToken cancellationToken)
    {
        var framer = new MessageFramer(this);
        while (!framer.IsDone)
        {
            var result = await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
            reader.AdvanceTo(result.IsCanceled ? result.Buffer.Start : Take(result.Buffer, ref framer));
            if (result.IsCanceled) { throw Cancelled(); }
            if (result.IsCompleted && !framer.IsDone) { framer.End(); }
        }
        return Complete(framer);
    }

    // The usual case: the whole message is in the pipe, so nothing has to be put together. Otherwise the result is handed back as it was.
    private bool TryTakeWhole(PipeReader reader, in ReadResult result, out CoapMessage? message)
    {
        message = null;
        var buffer = result.Buffer;
        var isWhole = MeasureStart(buffer).Kind == MessageExtentKind.Exactly;
        var error = FormatError.None;
        var outcome = isWhole ? Read(ref buffer, out message, out error) : ReadOutcome.NeedMore;
        reader.AdvanceTo(buffer.Start);
        return outcome == ReadOutcome.Malformed ? throw new CoapFormatException(error, 0) : outcome == ReadOutcome.Message;
    }

    private static SequencePosition Take(in ReadOnlySequence<byte> buffer, ref MessageFramer framer)
    {
        var taken = 0L;
        foreach (var segment in buffer) { taken += framer.Take(segment); }
        return buffer.GetPosition(taken);
    }

    private CoapMessage? Complete(in MessageFramer framer)
    {
        if (framer.Error != FormatError.None) { throw new CoapFormatException(framer.Error, framer.Length); }
        return framer.Length == 0 ? null : Deserialize((ReadOnlyMemory<byte>)framer.ToArray());
    }

    private static int Checked(int count, int room) =>
        (uint)count <= (uint)room ? count : throw new IOException($"A read of up to {room} bytes returned {count}.");

    private static OperationCanceledException Cancelled() => new("The pending read of the pipe was cancelled.");

    /// <summary>Returns the number of bytes up to the end of the stream, or a negative number if the stream does not tell.</summary>
    private static long End(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return stream.CanSeek ? Math.Max(0, stream.Length - stream.Position) : -1;
    }
}
