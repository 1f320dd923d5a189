using System.Buffers;
using System.Runtime.InteropServices;
using Google.Protobuf;

namespace CoAP.Formats;

/// <summary>Protocol Buffers for the messages of one type, by Google.Protobuf and the classes that protoc generates. Needs no reflection.</summary>
/// <remarks>
/// <para>No Content-Format is registered for Protocol Buffers, and the bytes do not tell which message they are. Both sides must agree on an
/// identifier from 65,000 to 65,535 for each message; 65,101 is only the default.</para>
/// <para><see cref="PayloadLimits.MaxLength"/> applies to fields of the types string and bytes, <see cref="PayloadLimits.MaxCount"/> to repeated
/// fields and maps, <see cref="PayloadLimits.MaxDepth"/> to messages inside one another. What a message of zero bytes costs depends on its class:
/// generated classes create their repeated fields and maps at once (about 250 bytes for each map). If such messages are repeated, lower
/// <see cref="PayloadLimits.MaxCount"/>. Like all of Google's parsers for .NET, this one replaces invalid UTF-8. Safe for concurrent use.</para>
/// </remarks>
/// <typeparam name="TMessage">The class of the messages.</typeparam>
public sealed class ProtobufFormat<TMessage> : PayloadFormat<TMessage>
    where TMessage : class, IMessage<TMessage>
{
    private const int OwnRecursionLimit = 100;      // of Google's parser, unless one is set

    private readonly MessageParser<TMessage> _parser;
    private readonly ProtobufScan _scan;

    /// <summary>Creates a format.</summary>
    /// <param name="parser">The parser, such as <c>Reading.Parser</c>.</param>
    /// <param name="limits">The bounds of what a received payload may cost.</param>
    /// <param name="contentFormat">The identifier that both sides have agreed on: 65,000 to 65,535 are free for experiments.</param>
    /// <param name="keepUnknownFields">Whether fields that the class does not have are kept. Each costs much more memory than it has bytes.</param>
    /// <exception cref="ArgumentOutOfRangeException">The identifier is greater than 65,535.</exception>
    public ProtobufFormat(MessageParser<TMessage> parser, PayloadLimits? limits = null, uint contentFormat = 65_101, bool keepUnknownFields = false)
        : base(contentFormat, "Protobuf")
    {
        ArgumentNullException.ThrowIfNull(parser);
        _parser = parser.WithDiscardUnknownFields(!keepUnknownFields);
        Limits = limits ?? PayloadLimits.Default;
        _scan = new ProtobufScan(parser.ParseFrom([]).Descriptor, Limits);
    }

    /// <summary>The bounds of what a received payload may cost.</summary>
    public PayloadLimits Limits { get; }

    /// <inheritdoc/>
    protected override void Write(IBufferWriter<byte> output, TMessage value)
    {
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(value);
        value.WriteTo(output);
    }

    /// <inheritdoc/>
    protected override TMessage Read(ReadOnlyMemory<byte> payload)
    {
        Limits.CheckSize(payload.Length);
        _scan.Check(payload.Span);
        // Each level takes two bytes or more, so a short payload cannot exceed the depth, and needs no stream and no buffer.
        return payload.Length < 2 * Math.Min(Limits.MaxDepth, OwnRecursionLimit) ? ReadShort(payload.Span) : ReadLong(payload);
    }

    private TMessage ReadShort(ReadOnlySpan<byte> payload)
    {
        try { return _parser.ParseFrom(payload); }
        catch (InvalidProtocolBufferException exception) { throw Invalid(exception, offset: null); }
    }

    private TMessage ReadLong(ReadOnlyMemory<byte> payload)
    {
        if (!MemoryMarshal.TryGetArray(payload, out var bytes)) { bytes = payload.ToArray(); }
        using var stream = new MemoryStream(bytes.Array!, bytes.Offset, bytes.Count, writable: false);
        using var input = CodedInputStream.CreateWithLimits(stream, Limits.MaxSize, Limits.MaxDepth);
        try { return _parser.ParseFrom(input); }
        catch (InvalidProtocolBufferException exception) { throw Invalid(exception, Math.Min(input.Position, payload.Length)); }
    }

    // Google's message about the depth advises to raise a limit that is not ours.
    private CoapPayloadException Invalid(InvalidProtocolBufferException exception, long? offset)
    {
        var what = exception.Message.Contains("levels of nesting", StringComparison.Ordinal)
            ? $"The message has more than {Limits.MaxDepth} levels; at most {Limits.MaxDepth} are allowed"
            : $"Invalid Protobuf message: {exception.Message.TrimEnd('.')}";
        return new CoapPayloadException(offset is { } at ? $"{what} (at byte {at})." : $"{what}.", offset, exception);
    }
}
