using CoAP.Options;

namespace CoAP.Serialization;

/// <summary>Options and payload, which all wire forms have in common (RFC 7252, section 3; RFC 8323, section 3.2).</summary>
internal struct MessageTail
{
    /// <summary>Where the first option begins.</summary>
    public int Start;

    /// <summary>Where the last option ends.</summary>
    public int OptionsEnd;

    /// <summary>Where the payload begins; the end of the message if there is none.</summary>
    public int PayloadStart;

    /// <summary>The options that occur, see <see cref="OptionNumber.SeenBit"/>.</summary>
    public ulong Seen;

    /// <summary>Checks the whole region from <paramref name="start"/> on; <paramref name="offset"/> tells where it breaks a rule.</summary>
    public static FormatError Read(ReadOnlySpan<byte> bytes, int start, out MessageTail tail, out int offset)
    {
        tail = new MessageTail { Start = start };
        int position = start, number = 0;
        while (position < bytes.Length)
        {
            int head = bytes[position], next = position + 1;
            if (head == OptionFormat.PayloadMarker)
            {
                offset = position;
                tail.OptionsEnd = position;
                tail.PayloadStart = next;
                return next == bytes.Length ? FormatError.EmptyPayloadAfterMarker : FormatError.None;
            }
            int delta = head >> 4, length = head & 15;
            if (delta >= OptionFormat.OneByte || length >= OptionFormat.OneByte)
            {
                var error = OptionFormat.ReadExtended(bytes, ref next, ref delta);
                if (error == FormatError.None) { error = OptionFormat.ReadExtended(bytes, ref next, ref length); }
                if (error != FormatError.None)
                {
                    offset = position;
                    return error;
                }
            }
            number += delta;
            if (number > OptionNumber.Max || length > bytes.Length - next)
            {
                offset = position;
                return number > OptionNumber.Max ? FormatError.OptionNumberTooLarge : FormatError.Truncated;
            }
            tail.Seen |= OptionNumber.SeenBit(number);
            position = next + length;
        }
        offset = tail.OptionsEnd = tail.PayloadStart = bytes.Length;
        return FormatError.None;
    }

    /// <summary>The options as they stand in <paramref name="memory"/>, which begins where the first option did.</summary>
    public readonly OptionSet Options(ReadOnlyMemory<byte> memory, OptionRegistry registry, CoapCode code) =>
        Seen == 0 ? default : new OptionSet(memory[..(OptionsEnd - Start)], Seen, registry, code);

    /// <summary>The payload in the same memory.</summary>
    public readonly ReadOnlyMemory<byte> Payload(ReadOnlyMemory<byte> memory) => memory[(PayloadStart - Start)..];

    /// <summary>The bytes that options and payload take.</summary>
    public static int GetSize(CoapMessage message) =>
        message.Options.GetSize() + (message.Payload.IsEmpty ? 0 : 1 + message.Payload.Length);

    /// <summary>Writes options, marker and payload, and returns the number of bytes.</summary>
    public static int Write(Span<byte> destination, CoapMessage message)
    {
        var position = message.Options.Write(destination);
        if (message.Payload.IsEmpty) { return position; }
        destination[position++] = OptionFormat.PayloadMarker;
        message.Payload.Span.CopyTo(destination[position..]);
        return position + message.Payload.Length;
    }
}
