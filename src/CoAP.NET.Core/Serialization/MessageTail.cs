using System.Runtime.CompilerServices;
using CoAP.Options;

namespace CoAP.Serialization;

/// <summary>The positions of options and payload, which all wire formats share (RFC 7252, section 3; RFC 8323, section 3.2).</summary>
internal struct MessageTail
{
    /// <summary>The start of the first option.</summary>
    public int Start;

    /// <summary>The end of the last option.</summary>
    public int OptionsEnd;

    /// <summary>The start of the payload, or the end of the message if there is none.</summary>
    public int PayloadStart;

    /// <summary>The options that occur, see <see cref="OptionNumber.SeenBit"/>.</summary>
    public ulong Seen;

    /// <summary>Returns the positions relative to memory that starts with the first option.</summary>
    public readonly ReceivedTail In(ReadOnlyMemory<byte> memory, OptionSpace space) =>
        new() { Memory = memory, OptionsLength = OptionsEnd - Start, PayloadOffset = PayloadStart - Start, Seen = Seen, Space = space };

    /// <summary>Validates options and payload from <paramref name="start"/> on; <paramref name="offset"/> is the position of an error.</summary>
    public static FormatError Read(ReadOnlySpan<byte> bytes, int start, out MessageTail tail, out int offset)
    {
        tail.Start = start;
        int position = start, number = 0;
        var seen = 0UL;
        while ((uint)position < (uint)bytes.Length)
        {
            int head = bytes[position], next = position + 1, delta = head >> 4, length = head & 15;
            if (delta >= OptionFormat.OneByte || length >= OptionFormat.OneByte)
            {
                if (head == OptionFormat.PayloadMarker) { break; }
                var error = ReadExtended(bytes, ref next, ref delta, ref length);
                if (error != FormatError.None) { return Fail(error, position, out tail, out offset); }
            }
            number += delta;
            if (number > OptionNumber.Max) { return Fail(FormatError.OptionNumberTooLarge, position, out tail, out offset); }
            if (length > bytes.Length - next) { return Fail(FormatError.Truncated, position, out tail, out offset); }
            seen |= OptionNumber.SeenBit(number);
            position = next + length;
        }
        if (position == bytes.Length - 1) { return Fail(FormatError.EmptyPayloadAfterMarker, position, out tail, out offset); }
        tail.Seen = seen;
        tail.OptionsEnd = position;
        tail.PayloadStart = Math.Min(position + 1, bytes.Length);
        offset = position;
        return FormatError.None;
    }

    /// <summary>Returns the number of bytes of options and marker.</summary>
    public static long GetHeadSize(CoapMessage message) => (long)message.OptionLength + (message.Payload.IsEmpty ? 0 : 1);

    /// <summary>Writes options and marker and returns the number of bytes.</summary>
    public static int WriteHead(Span<byte> destination, CoapMessage message)
    {
        var options = message.OptionBytes;
        options.CopyTo(destination);
        if (message.Payload.IsEmpty) { return options.Length; }
        destination[options.Length] = OptionFormat.PayloadMarker;
        return options.Length + 1;
    }

    private static FormatError ReadExtended(ReadOnlySpan<byte> bytes, ref int position, ref int delta, ref int length)
    {
        var error = OptionFormat.ReadExtended(bytes, ref position, ref delta);
        return error == FormatError.None ? OptionFormat.ReadExtended(bytes, ref position, ref length) : error;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static FormatError Fail(FormatError error, int position, out MessageTail tail, out int offset)
    {
        tail = default;
        offset = position;
        return error;
    }
}
