using System.Diagnostics.CodeAnalysis;
using CoAP.Options;

namespace CoAP.Serialization;

/// <summary>The length-prefixed form of TCP and TLS (RFC 8323, section 3.2).</summary>
/// <remarks>Safe for concurrent use.</remarks>
public sealed class StreamSerializer : CoapMessageSerializer
{
    private readonly OptionRegistry _registry;

    /// <summary>Makes a serializer whose messages know the options of the registry.</summary>
    public StreamSerializer(OptionRegistry registry)
    {
        ArgumentNullException.ThrowIfNull(registry);
        _registry = registry;
    }

    /// <inheritdoc/>
    public override int GetSize(CoapMessage message)
    {
        ArgumentNullException.ThrowIfNull(message);
        var tail = MessageTail.GetSize(message);
        var token = message.Token.Length;
        return StreamHeader.GetLength(tail) + TokenFormat.ExtendedLength(token) + token + tail;
    }

    /// <inheritdoc/>
    public override int Write(Span<byte> destination, CoapMessage message)
    {
        ArgumentNullException.ThrowIfNull(message);
        var token = message.Token;
        var position = StreamHeader.Write(destination, MessageTail.GetSize(message), message.Code, TokenFormat.Nibble(token.Length));
        position += TokenFormat.Write(destination, token, position);
        return position + MessageTail.Write(destination[position..], message);
    }

    /// <inheritdoc/>
    public override bool TryRead(ReadOnlySpan<byte> bytes, [NotNullWhen(true)] out CoapMessage? message, out FormatError error, out int offset)
    {
        error = ReadFrame(bytes, out var header, out var token, out var tail, out offset);
        message = error == FormatError.None ? Compose(header, token, tail, bytes[tail.Start..].ToArray()) : null;
        return message is not null;
    }

    /// <inheritdoc/>
    public override bool TryRead(ReadOnlyMemory<byte> bytes, [NotNullWhen(true)] out CoapMessage? message, out FormatError error, out int offset)
    {
        error = ReadFrame(bytes.Span, out var header, out var token, out var tail, out offset);
        message = error == FormatError.None ? Compose(header, token, tail, bytes[tail.Start..]) : null;
        return message is not null;
    }

    private static FormatError ReadFrame(ReadOnlySpan<byte> bytes, out StreamHeader header, out Token token, out MessageTail tail, out int offset)
    {
        token = default;
        tail = default;
        offset = 0;
        var error = StreamHeader.Read(bytes, out header);
        if (error == FormatError.None && header.TotalLength != bytes.Length) { error = FormatError.Truncated; }
        if (error == FormatError.None && header.Code.IsReserved) { error = FormatError.ReservedCodeClass; }
        if (error != FormatError.None) { return error; }
        token = new Token(bytes.Slice(header.TokenStart, header.TokenLength));
        return MessageTail.Read(bytes, header.TokenStart + header.TokenLength, out tail, out offset);
    }

    private CoapMessage Compose(in StreamHeader header, in Token token, in MessageTail tail, ReadOnlyMemory<byte> memory) => new()
    {
        Code = header.Code,
        Token = token,
        Options = tail.Options(memory, _registry, header.Code),
        Payload = tail.Payload(memory),
    };
}
