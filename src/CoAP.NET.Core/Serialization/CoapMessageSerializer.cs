using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;

namespace CoAP.Serialization;

/// <summary>Converts messages to bytes and back, synchronously and asynchronously. Each wire format has a derived class.</summary>
/// <remarks>
/// <para>
/// Safe for concurrent use. A format limits the size of messages by its encoding only; the channel enforces the limit of its transport.
/// Malformed bytes are reported as a <see cref="FormatError"/> by <c>TryRead</c> and as a <see cref="CoapFormatException"/> by <c>Deserialize</c>.
/// </para>
/// <para>
/// Your own format implements three members: the length of the bytes before the payload (<see cref="GetHeadSize"/>), these bytes
/// (<see cref="WriteHead"/>), and reading a message (<see cref="TryRead(ReadOnlyMemory{byte}, out CoapMessage?, out FormatError, out int)"/>).
/// If several messages can follow each other in a stream, it also implements <see cref="Measure"/>. All other members build on these.
/// </para>
/// </remarks>
public abstract class CoapMessageSerializer
{
    private readonly long _maxSize = long.MaxValue;

    /// <summary>The format of datagrams (RFC 7252, section 3).</summary>
    public static CoapMessageSerializer Datagram { get; } = new DatagramSerializer(Options.OptionRegistry.Default);

    /// <summary>The length-prefixed format of TCP and TLS (RFC 8323, section 3.2).</summary>
    public static CoapMessageSerializer Stream { get; } = new StreamSerializer(Options.OptionRegistry.Default);

    /// <summary>
    /// The largest message in bytes that is read from a stream, a pipe or a sequence. Default: no limit. A larger message is rejected with
    /// <see cref="FormatError.MessageTooLarge"/> before memory is allocated for it.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The size is not positive.</exception>
    public long MaxSize
    {
        get => _maxSize;
        init
        {
            ArgumentOutOfRangeException.ThrowIfNegativeOrZero(value);
            _maxSize = value;
        }
    }

    /// <summary>Returns the number of bytes before the payload: header, token, options and, if there is a payload, its marker.</summary>
    /// <exception cref="ArgumentException">The format cannot express the message.</exception>
    public abstract int GetHeadSize(CoapMessage message);

    /// <summary>Writes the bytes before the payload to the start of <paramref name="destination"/> and returns their number.</summary>
    /// <param name="destination">At least <see cref="GetHeadSize"/> bytes.</param>
    /// <param name="message">The message.</param>
    /// <exception cref="ArgumentException">The destination is too short, or the format cannot express the message.</exception>
    public abstract int WriteHead(Span<byte> destination, CoapMessage message);

    /// <summary>Reads a message from memory that holds exactly one. The message keeps the memory, which must not change afterwards.</summary>
    /// <param name="bytes">The bytes of the message.</param>
    /// <param name="message">The message, or <see langword="null"/> if the bytes are malformed.</param>
    /// <param name="error">The rule that the bytes break.</param>
    /// <param name="offset">The offset of the error in bytes.</param>
    /// <returns>Whether the bytes are a message. Never throws, whatever the bytes are.</returns>
    public abstract bool TryRead(ReadOnlyMemory<byte> bytes, [NotNullWhen(true)] out CoapMessage? message, out FormatError error, out int offset);

    /// <summary>Reads a message from memory that holds exactly one, and copies what the message keeps.</summary>
    /// <inheritdoc cref="TryRead(ReadOnlyMemory{byte}, out CoapMessage?, out FormatError, out int)"/>
    public virtual bool TryRead(ReadOnlySpan<byte> bytes, [NotNullWhen(true)] out CoapMessage? message, out FormatError error, out int offset) =>
        TryRead(bytes.ToArray().AsMemory(), out message, out error, out offset);

    /// <summary>Determines the length of a message from its first bytes. By default a message extends to the end of the bytes.</summary>
    /// <param name="start">The first bytes of a message: none, a part of it, or more than the message.</param>
    public virtual MessageExtent Measure(ReadOnlySpan<byte> start) => MessageExtent.UntilEnd;

    /// <summary>Returns the number of bytes of the message in this format.</summary>
    /// <exception cref="ArgumentException">The format cannot express the message, or the message is larger than an array can be.</exception>
    public int GetSize(CoapMessage message)
    {
        var head = GetHeadSize(message);
        var payload = message.Payload.Length;
        return payload <= Array.MaxLength - head ? head + payload : throw TooLargeForAnArray((long)head + payload);
    }

    /// <summary>Writes the message to the start of <paramref name="destination"/> and returns the number of bytes.</summary>
    /// <param name="destination">At least <see cref="GetSize"/> bytes.</param>
    /// <param name="message">The message.</param>
    /// <exception cref="ArgumentException">The destination is too short, or the format cannot express the message.</exception>
    public int Write(Span<byte> destination, CoapMessage message)
    {
        var head = WriteHead(destination, message);
        var payload = message.Payload.Span;
        payload.CopyTo(destination[head..]);
        return head + payload.Length;
    }

    /// <summary>Writes the message to a new array.</summary>
    /// <exception cref="ArgumentException">The format cannot express the message, or the message is larger than an array can be.</exception>
    public byte[] Serialize(CoapMessage message)
    {
        var bytes = GC.AllocateUninitializedArray<byte>(GetSize(message));
        Write(bytes, message);
        return bytes;
    }

    /// <summary>Writes the message to a buffer. Does not flush a <see cref="PipeWriter"/>.</summary>
    /// <exception cref="ArgumentException">The format cannot express the message.</exception>
    public void Serialize(IBufferWriter<byte> writer, CoapMessage message)
    {
        ArgumentNullException.ThrowIfNull(writer);
        MessageWriting.Write(this, writer, message);
    }

    /// <summary>Writes the message to a stream. The payload of a large message is written separately, without a copy.</summary>
    /// <exception cref="ArgumentException">The format cannot express the message.</exception>
    public void Serialize(Stream stream, CoapMessage message)
    {
        ArgumentNullException.ThrowIfNull(stream);
        MessageWriting.Write(this, stream, message);
    }

    /// <inheritdoc cref="Serialize(System.IO.Stream, CoapMessage)"/>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public ValueTask SerializeAsync(Stream stream, CoapMessage message, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return MessageWriting.WriteAsync(this, stream, message, cancellationToken);
    }

    /// <summary>Writes the message to a pipe and flushes it. A large payload is written in parts as the reader consumes them. Returns early if the
    /// reader has completed.</summary>
    /// <exception cref="ArgumentException">The format cannot express the message.</exception>
    /// <exception cref="OperationCanceledException">The token or the pending flush was canceled.</exception>
    public ValueTask SerializeAsync(PipeWriter writer, CoapMessage message, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(writer);
        return MessageWriting.WriteAsync(this, writer, message, cancellationToken);
    }

    /// <summary>Reads a message from memory that holds exactly one, and copies what the message keeps.</summary>
    /// <exception cref="CoapFormatException">The bytes are not a message.</exception>
    public CoapMessage Deserialize(ReadOnlySpan<byte> bytes) =>
        TryRead(bytes, out var message, out var error, out var offset) ? message : throw new CoapFormatException(error, offset);

    /// <summary>Reads a message from memory that holds exactly one. The message keeps the memory, which must not change afterwards.</summary>
    /// <exception cref="CoapFormatException">The bytes are not a message.</exception>
    public CoapMessage Deserialize(ReadOnlyMemory<byte> bytes) =>
        TryRead(bytes, out var message, out var error, out var offset) ? message : throw new CoapFormatException(error, offset);

    /// <summary>Reads a message from a sequence that holds exactly one, and copies what the message keeps.</summary>
    /// <exception cref="CoapFormatException">The bytes are not a message or exceed <see cref="MaxSize"/>.</exception>
    public CoapMessage Deserialize(in ReadOnlySequence<byte> bytes)
    {
        if (bytes.Length > Math.Min(MaxSize, Array.MaxLength)) { throw new CoapFormatException(FormatError.MessageTooLarge, 0); }
        return bytes.IsSingleSegment ? Deserialize(bytes.FirstSpan) : Deserialize(bytes.ToArray().AsMemory());
    }

    /// <summary>Reads the message at the start of a buffer that may hold several messages or a part of one.</summary>
    /// <param name="buffer">The available bytes. If a message was read, its bytes are removed from the start. A format that does not implement
    /// <see cref="Measure"/> reads all bytes.</param>
    /// <param name="message">The message, if one was read.</param>
    /// <param name="error">The rule that the bytes break, if they are malformed.</param>
    public ReadOutcome Read(ref ReadOnlySequence<byte> buffer, out CoapMessage? message, out FormatError error) =>
        MessageReading.Read(this, ref buffer, out message, out error);

    /// <summary>Reads the next message of a stream.</summary>
    /// <param name="stream">
    /// A format that implements <see cref="Measure"/> reads exactly one message with several small reads: use a <see cref="BufferedStream"/> if
    /// reads are expensive. Any other format reads to the end.
    /// </param>
    /// <returns>The message, or <see langword="null"/> at the end of the stream.</returns>
    /// <exception cref="CoapFormatException">The bytes are not a message, end inside a message or exceed <see cref="MaxSize"/>.</exception>
    public CoapMessage? Deserialize(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return MessageReading.Read(this, stream);
    }

    /// <inheritdoc cref="Deserialize(System.IO.Stream)"/>
    /// <remarks>Completes synchronously if the stream does. After a cancellation the stream may be in the middle of a message.</remarks>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public ValueTask<CoapMessage?> DeserializeAsync(Stream stream, CancellationToken cancellationToken = default) =>
        stream?.GetType() == typeof(MemoryStream) && !cancellationToken.IsCancellationRequested
            ? MessageReading.ReadMemory(this, stream)
            : MessageReading.ReadAsync(this, stream!, cancellationToken);

    /// <summary>Reads exactly one message from a pipe. The bytes are consumed as they arrive, so a message may be larger than the pipe.</summary>
    /// <param name="reader">The pipe. Bytes of a malformed message may have been consumed.</param>
    /// <param name="cancellationToken">After a cancellation the pipe may be in the middle of a message.</param>
    /// <returns>The message, or <see langword="null"/> if the pipe is completed. Completes synchronously if the bytes are available.</returns>
    /// <exception cref="CoapFormatException">The bytes are not a message, end inside a message or exceed <see cref="MaxSize"/>.</exception>
    /// <exception cref="OperationCanceledException">The token or the pending read was canceled.</exception>
    public ValueTask<CoapMessage?> DeserializeAsync(PipeReader reader, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return MessageReading.ReadAsync(this, reader, cancellationToken);
    }

    private static ArgumentException TooLargeForAnArray(long size) =>
        new($"The message takes {size} bytes; an array holds at most {Array.MaxLength}. Write it to a stream.");
}
