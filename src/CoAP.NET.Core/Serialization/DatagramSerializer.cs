using System.Diagnostics.CodeAnalysis;
using CoAP.Options;

namespace CoAP.Serialization;

/// <summary>The format of datagrams: four bytes, token, options and payload up to the end of the datagram (RFC 7252, section 3).</summary>
/// <remarks>Safe for concurrent use.</remarks>
public sealed class DatagramSerializer : CoapMessageSerializer
{
    private readonly OptionSpace _space;

    /// <summary>Creates a serializer for messages with the options of the registry.</summary>
    public DatagramSerializer(OptionRegistry registry)
    {
        ArgumentNullException.ThrowIfNull(registry);
        _space = registry.Space(CoapCode.Empty);
    }

    /// <inheritdoc/>
    public override int GetHeadSize(CoapMessage message)
    {
        ArgumentNullException.ThrowIfNull(message);
        var token = message.TokenInPlace.Length;
        return CodeRules.ToSize(DatagramHeader.Length + TokenFormat.ExtendedLength(token) + token + MessageTail.GetHeadSize(message));
    }

    /// <inheritdoc/>
    public override int WriteHead(Span<byte> destination, CoapMessage message)
    {
        ArgumentNullException.ThrowIfNull(message);
        var code = message.Code;
        if (code.IsEmpty || code.Class is not (0 or 2 or 4 or 5)) { CodeRules.ThrowUnlessDatagram(message); }
        ref readonly var token = ref message.TokenInPlace;
        DatagramHeader.Write(destination, message.Type, code, message.MessageId, TokenFormat.Nibble(token.Length));
        var position = DatagramHeader.Length + TokenFormat.Write(destination, token, DatagramHeader.Length);
        return position + MessageTail.WriteHead(destination[position..], message);
    }

    /// <inheritdoc/>
    public override bool TryRead(ReadOnlySpan<byte> bytes, [NotNullWhen(true)] out CoapMessage? message, out FormatError error, out int offset)
    {
        error = ReadHeader(bytes, out var token, out var tail, out offset);
        message = error == FormatError.None ? Compose(bytes, token, tail.In(bytes[tail.Start..].ToArray(), _space)) : null;
        return message is not null;
    }

    /// <inheritdoc/>
    public override bool TryRead(ReadOnlyMemory<byte> bytes, [NotNullWhen(true)] out CoapMessage? message, out FormatError error, out int offset)
    {
        var span = bytes.Span;
        error = ReadHeader(span, out var token, out var tail, out offset);
        message = error == FormatError.None ? Compose(span, token, tail.In(bytes[tail.Start..], _space)) : null;
        return message is not null;
    }

    private static CoapMessage Compose(ReadOnlySpan<byte> bytes, ReadOnlySpan<byte> token, in ReceivedTail tail) =>
        new(DatagramHeader.ReadType(bytes), new CoapCode(bytes[1]), DatagramHeader.ReadMessageId(bytes), token, tail);

    private static FormatError ReadHeader(ReadOnlySpan<byte> bytes, out ReadOnlySpan<byte> token, out MessageTail tail, out int offset)
    {
        token = default;
        tail = default;
        // The version comes first: the rest of a datagram of another version must not be judged.
        if (bytes.Length > 0 && bytes[0] >> 6 != DatagramHeader.Version) { return Fail(FormatError.UnknownVersion, 0, out offset); }
        if (bytes.Length < DatagramHeader.Length) { return Fail(FormatError.Truncated, bytes.Length, out offset); }
        var code = new CoapCode(bytes[1]);
        if (code.IsEmpty)
        {
            var isBare = bytes.Length == DatagramHeader.Length && (bytes[0] & 15) == 0;
            tail.Start = tail.OptionsEnd = tail.PayloadStart = bytes.Length;
            return Fail(isBare ? FormatError.None : FormatError.EmptyMessageWithContent, DatagramHeader.Length, out offset);
        }
        if (code.IsReserved || code.IsSignal) { return Fail(FormatError.ReservedCodeClass, 1, out offset); }
        int length = bytes[0] & 15, position = DatagramHeader.Length;
        if (length >= OptionFormat.OneByte)
        {
            var error = TokenFormat.ReadLength(bytes, ref position, ref length);
            if (error != FormatError.None) { return Fail(error, position, out offset); }
        }
        if (length > bytes.Length - position) { return Fail(FormatError.Truncated, position, out offset); }
        token = bytes.Slice(position, length);
        return MessageTail.Read(bytes, position + length, out tail, out offset);
    }

    private static FormatError Fail(FormatError error, int at, out int offset)
    {
        offset = at;
        return error;
    }
}
