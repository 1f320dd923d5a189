using System.Diagnostics.CodeAnalysis;
using CoAP.Options;

namespace CoAP.Serialization;

/// <summary>The length-prefixed format of TCP and TLS (RFC 8323, section 3.2).</summary>
/// <remarks>Safe for concurrent use.</remarks>
public sealed class StreamSerializer : CoapMessageSerializer
{
    private readonly OptionRegistry _registry;

    /// <summary>Creates a serializer for messages with the options of the registry.</summary>
    public StreamSerializer(OptionRegistry registry)
    {
        ArgumentNullException.ThrowIfNull(registry);
        _registry = registry;
    }

    /// <inheritdoc/>
    public override int GetHeadSize(CoapMessage message)
    {
        ArgumentNullException.ThrowIfNull(message);
        var token = message.TokenInPlace.Length;
        var head = MessageTail.GetHeadSize(message);
        return CodeRules.ToSize(StreamHeader.GetLength(head + message.Payload.Length) + TokenFormat.ExtendedLength(token) + token + head);
    }

    /// <inheritdoc/>
    public override int WriteHead(Span<byte> destination, CoapMessage message)
    {
        ArgumentNullException.ThrowIfNull(message);
        var code = message.Code;
        if (code.IsEmpty || code.IsReserved) { CodeRules.ThrowUnlessSendable(message); }
        ref readonly var token = ref message.TokenInPlace;
        var tail = MessageTail.GetHeadSize(message) + message.Payload.Length;
        var position = StreamHeader.Write(destination, tail, code, TokenFormat.Nibble(token.Length));
        position += TokenFormat.Write(destination, token, position);
        return position + MessageTail.WriteHead(destination[position..], message);
    }

    /// <inheritdoc/>
    public override MessageExtent Measure(ReadOnlySpan<byte> start) => StreamHeader.Measure(start);

    /// <inheritdoc/>
    public override bool TryRead(ReadOnlySpan<byte> bytes, [NotNullWhen(true)] out CoapMessage? message, out FormatError error, out int offset)
    {
        error = ReadFrame(bytes, out var header, out var tail, out offset);
        message = error == FormatError.None ? Compose(bytes, header, tail, bytes[tail.Start..].ToArray()) : null;
        return message is not null;
    }

    /// <inheritdoc/>
    public override bool TryRead(ReadOnlyMemory<byte> bytes, [NotNullWhen(true)] out CoapMessage? message, out FormatError error, out int offset)
    {
        var span = bytes.Span;
        error = ReadFrame(span, out var header, out var tail, out offset);
        message = error == FormatError.None ? Compose(span, header, tail, bytes[tail.Start..]) : null;
        return message is not null;
    }

    private static FormatError ReadFrame(ReadOnlySpan<byte> bytes, out StreamHeader header, out MessageTail tail, out int offset)
    {
        tail = default;
        offset = 0;
        var error = StreamHeader.Read(bytes, out header);
        if (error == FormatError.None) { error = Check(header, bytes.Length); }
        return error == FormatError.None ? MessageTail.Read(bytes, header.TokenStart + header.TokenLength, out tail, out offset) : error;
    }

    private static FormatError Check(in StreamHeader header, int length)
    {
        if (header.TotalLength != length) { return header.TotalLength > length ? FormatError.Truncated : FormatError.TrailingBytes; }
        if (header.Code.IsReserved) { return FormatError.ReservedCodeClass; }
        var isBare = header.TokenLength == 0 && header.TailLength == 0;
        return header.Code.IsEmpty && !isBare ? FormatError.EmptyMessageWithContent : FormatError.None;
    }

    private CoapMessage Compose(ReadOnlySpan<byte> bytes, in StreamHeader header, in MessageTail tail, ReadOnlyMemory<byte> memory)
    {
        var token = bytes.Slice(header.TokenStart, header.TokenLength);
        return new(default, header.Code, default, token, tail.In(memory, _registry.Space(header.Code)));
    }
}
