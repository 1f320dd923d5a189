using System.Buffers;
using System.IO.Pipelines;

namespace CoAP.Serialization;

/// <content>Reading from streams and pipes. One machine puts the message together; only waiting for bytes differs.</content>
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
        var assembler = new MessageAssembler(this, Remaining(stream));
        while (!assembler.IsDone) { assembler.Advance(stream.Read(assembler.Free.Span)); }
        return assembler.ToMessage();
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
        var assembler = new MessageAssembler(this, Remaining(stream));
        while (!assembler.IsDone)
        {
            assembler.Advance(await stream.ReadAsync(assembler.Free, cancellationToken).ConfigureAwait(false));
        }
        return assembler.ToMessage();
    }

    private async ValueTask<CoapMessage?> AssembleAsync(PipeReader reader, CancellationToken cancellationToken)
    {
        var assembler = new MessageAssembler(this, remaining: null);
        while (!assembler.IsDone)
        {
            var result = await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
            reader.AdvanceTo(result.IsCanceled ? result.Buffer.Start : Take(result.Buffer, assembler));
            if (result.IsCanceled) { throw Cancelled(); }
            if (result.IsCompleted && !assembler.IsDone) { assembler.Advance(0); }
        }
        return assembler.ToMessage();
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

    private static SequencePosition Take(in ReadOnlySequence<byte> buffer, MessageAssembler assembler)
    {
        var taken = 0L;
        foreach (var segment in buffer)
        {
            var bytes = segment.Span;
            while (!bytes.IsEmpty && !assembler.IsDone)
            {
                var free = assembler.Free.Span;
                var length = Math.Min(free.Length, bytes.Length);
                bytes[..length].CopyTo(free);
                assembler.Advance(length);
                bytes = bytes[length..];
                taken += length;
            }
        }
        return buffer.GetPosition(taken);
    }

    private static OperationCanceledException Cancelled() => new("The pending read of the pipe was cancelled.");

    private static long? Remaining(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return stream.CanSeek ? Math.Max(0, stream.Length - stream.Position) : null;
    }
}
