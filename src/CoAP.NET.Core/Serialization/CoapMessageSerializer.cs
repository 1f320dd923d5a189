using System.Buffers;
using System.Diagnostics.CodeAnalysis;

namespace CoAP.Serialization;

/// <summary>Turns messages into bytes and back, sync and async over the same sources and sinks. One derived class for each wire form.</summary>
/// <remarks>
/// <para>
/// Safe for concurrent use. A form has no limit on size beyond its own encoding: what a transport can carry is the channel's concern.
/// Bytes that are no message come as <see cref="FormatError"/> from <c>TryRead</c> and as <see cref="CoapFormatException"/> from <c>Deserialize</c>.
/// </para>
/// <para>
/// A form of your own has to say three things: how long the bytes before the payload are (<see cref="GetHeadSize"/>), what they are
/// (<see cref="WriteHead"/>), and how to read a message back (<see cref="TryRead(ReadOnlyMemory{byte}, out CoapMessage?, out FormatError, out int)"/>).
/// One whose messages follow one another in a stream also tells their length (<see cref="Measure"/>). All else is built on these.
/// </para>
/// </remarks>
public abstract partial class CoapMessageSerializer
{
    private readonly long _maxSize = long.MaxValue;

    /// <summary>The form of datagrams (RFC 7252, section 3).</summary>
    public static CoapMessageSerializer Datagram { get; } = new DatagramSerializer(Options.OptionRegistry.Default);

    /// <summary>The length-prefixed form of TCP and TLS (RFC 8323, section 3.2).</summary>
    public static CoapMessageSerializer Stream { get; } = new StreamSerializer(Options.OptionRegistry.Default);

    /// <summary>
    /// The largest message, in bytes, that is read from a stream, a pipe or a sequence; no limit by default. A larger one is
    /// <see cref="FormatError.MessageTooLarge"/>, before memory is set aside for it.
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

    /// <summary>The number of bytes before the payload: header, token, options and, where there is a payload, its marker.</summary>
    /// <exception cref="ArgumentException">The form cannot carry the message.</exception>
    public abstract int GetHeadSize(CoapMessage message);

    /// <summary>Writes the bytes before the payload to the start of <paramref name="destination"/>, which holds at least
    /// <see cref="GetHeadSize"/> bytes, and returns their number.</summary>
    /// <exception cref="ArgumentException">The destination is too short, or the form cannot carry the message.</exception>
    public abstract int WriteHead(Span<byte> destination, CoapMessage message);

    /// <summary>Reads one message from memory that holds exactly one and is the message's from now on: nothing is copied, the bytes must not change.</summary>
    /// <param name="bytes">The message.</param>
    /// <param name="message">The message, where the bytes are one.</param>
    /// <param name="error">What is wrong with the bytes.</param>
    /// <param name="offset">Where it is wrong, in bytes from the start.</param>
    /// <returns>Whether the bytes are a message. No exception leaves, whatever they are.</returns>
    public abstract bool TryRead(ReadOnlyMemory<byte> bytes, [NotNullWhen(true)] out CoapMessage? message, out FormatError error, out int offset);

    /// <summary>Reads one message from memory that holds exactly one; what the message keeps is copied into an array of its own.</summary>
    /// <inheritdoc cref="TryRead(ReadOnlyMemory{byte}, out CoapMessage?, out FormatError, out int)"/>
    public virtual bool TryRead(ReadOnlySpan<byte> bytes, [NotNullWhen(true)] out CoapMessage? message, out FormatError error, out int offset) =>
        TryRead(bytes.ToArray().AsMemory(), out message, out error, out offset);

    /// <summary>What the first bytes of a message tell of its length; by default nothing: where the bytes end, the message ends.</summary>
    /// <param name="start">The first bytes of a message, perhaps none and perhaps more than the message.</param>
    public virtual MessageExtent Measure(ReadOnlySpan<byte> start) => MessageExtent.UntilEnd;

    /// <summary>The number of bytes that the message takes in this form.</summary>
    /// <exception cref="ArgumentException">The form cannot carry the message, or it is larger than an array can be.</exception>
    public int GetSize(CoapMessage message)
    {
        var head = GetHeadSize(message);
        var payload = message.Payload.Length;
        return payload <= Array.MaxLength - head ? head + payload : throw TooLargeForAnArray((long)head + payload);
    }

    /// <summary>Writes the message to the start of <paramref name="destination"/>, which holds at least <see cref="GetSize"/> bytes,
    /// and returns their number.</summary>
    /// <exception cref="ArgumentException">The destination is too short, or the form cannot carry the message.</exception>
    public int Write(Span<byte> destination, CoapMessage message)
    {
        var head = WriteHead(destination, message);
        var payload = message.Payload.Span;
        payload.CopyTo(destination[head..]);
        return head + payload.Length;
    }

    /// <summary>Reads one message from memory that holds exactly one; what the message keeps is copied into an array of its own.</summary>
    /// <exception cref="CoapFormatException">The bytes are no message.</exception>
    public CoapMessage Deserialize(ReadOnlySpan<byte> bytes) =>
        TryRead(bytes, out var message, out var error, out var offset) ? message : throw new CoapFormatException(error, offset);

    /// <summary>Reads one message from memory that holds exactly one and is the message's from now on: nothing is copied, the bytes must not change.</summary>
    /// <exception cref="CoapFormatException">The bytes are no message.</exception>
    public CoapMessage Deserialize(ReadOnlyMemory<byte> bytes) =>
        TryRead(bytes, out var message, out var error, out var offset) ? message : throw new CoapFormatException(error, offset);

    /// <summary>Reads one message from bytes that are exactly one; what the message keeps is copied into an array of its own.</summary>
    /// <exception cref="CoapFormatException">The bytes are no message, or larger than <see cref="MaxSize"/>.</exception>
    public CoapMessage Deserialize(in ReadOnlySequence<byte> bytes)
    {
        if (bytes.Length > Math.Min(MaxSize, Array.MaxLength)) { throw new CoapFormatException(FormatError.MessageTooLarge, 0); }
        return bytes.IsSingleSegment ? Deserialize(bytes.FirstSpan) : Deserialize(bytes.ToArray().AsMemory());
    }

    /// <summary>Reads the message at the start of bytes that may hold several, or a part of one, and moves the start behind it.</summary>
    /// <param name="buffer">The bytes at hand; moved only when a message was read. A form that does not tell its length takes them all.</param>
    /// <param name="message">The message, where there is one.</param>
    /// <param name="error">What is wrong with the bytes, where they are no message.</param>
    public ReadOutcome Read(ref ReadOnlySequence<byte> buffer, out CoapMessage? message, out FormatError error)
    {
        message = null;
        var extent = MeasureStart(buffer);
        var length = extent.Kind == MessageExtentKind.UntilEnd ? buffer.Length : extent.Length;
        error = length > Math.Min(MaxSize, Array.MaxLength) ? FormatError.MessageTooLarge : extent.Error;
        if (error != FormatError.None) { return ReadOutcome.Malformed; }
        if (extent.Kind == MessageExtentKind.AtLeast || length > buffer.Length) { return ReadOutcome.NeedMore; }
        var bytes = buffer.Slice(0, length);
        var isMessage = bytes.IsSingleSegment
            ? TryRead(bytes.FirstSpan, out message, out error, out _)
            : TryRead(bytes.ToArray().AsMemory(), out message, out error, out _);
        if (!isMessage) { return ReadOutcome.Malformed; }
        buffer = buffer.Slice(length);
        return ReadOutcome.Message;
    }

    /// <summary>Writes the message to a new array.</summary>
    /// <exception cref="ArgumentException">The form cannot carry the message, or it is larger than an array can be.</exception>
    public byte[] Serialize(CoapMessage message)
    {
        var bytes = GC.AllocateUninitializedArray<byte>(GetSize(message));
        Write(bytes, message);
        return bytes;
    }

    // The first bytes may be spread over segments; a form that needs more of them than fit on the stack gets an array.
    private MessageExtent MeasureStart(in ReadOnlySequence<byte> buffer)
    {
        var extent = Measure(buffer.FirstSpan);
        if (buffer.IsSingleSegment || extent.Kind != MessageExtentKind.AtLeast) { return extent; }
        Span<byte> start = stackalloc byte[LongestStackStart];
        for (var length = (int)Math.Min(start.Length, buffer.Length); ; length = (int)extent.Length)
        {
            var bytes = length <= start.Length ? start[..length] : new byte[length];
            buffer.Slice(0, length).CopyTo(bytes);
            extent = Measure(bytes);
            if (extent.Kind != MessageExtentKind.AtLeast || extent.Length <= length || extent.Length > buffer.Length) { return extent; }
        }
    }

    private static ArgumentException TooLargeForAnArray(long size) =>
        new($"The message takes {size} bytes; an array holds at most {Array.MaxLength}. Write it to a stream.");
}
