using System.Buffers.Binary;

namespace CoAP.Benchmarks;

/// <summary>Parses datagrams strictly into an owned message (RFC 7252, section 3). The baseline of decoding.</summary>
internal static class PlainParser
{
    public static PlainMessage? Parse(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < 4 || bytes[0] >> 6 != 1) { return null; }
        int code = bytes[1], tokenLength = bytes[0] & 15;
        if (code == 0 ? bytes.Length > 4 || tokenLength > 0 : code >> 5 is 1 or 3 or 6 or 7) { return null; }
        return ParseRest(bytes, 4, tokenLength, (byte)((bytes[0] >> 4) & 3), (byte)code, BinaryPrimitives.ReadUInt16BigEndian(bytes[2..]));
    }

    private static PlainMessage? ParseRest(ReadOnlySpan<byte> bytes, int position, int tokenLength, byte type, byte code, ushort messageId)
    {
        if (tokenLength > 8 || tokenLength > bytes.Length - position) { return null; }
        var token = 0UL;
        for (var end = position + tokenLength; position < end; position++) { token = (token << 8) | bytes[position]; }
        Span<PlainOption> few = stackalloc PlainOption[16];
        var options = few;
        int number = 0, count = 0, payload = bytes.Length;
        while (position < bytes.Length)
        {
            int head = bytes[position++];
            if (head == 0xFF)
            {
                if (position == bytes.Length) { return null; }
                payload = position;
                break;
            }
            int delta = head >> 4, length = head & 15;
            if (!Extend(bytes, ref position, ref delta) || !Extend(bytes, ref position, ref length)) { return null; }
            number += delta;
            if (number > 65_535 || length > bytes.Length - position) { return null; }
            if (count == options.Length) { options = Grow(options); }
            options[count++] = new PlainOption { Number = (ushort)number, Start = position, Length = (ushort)length };
            position += length;
        }
        return new PlainMessage
        {
            Type = type,
            Code = code,
            TokenLength = (byte)tokenLength,
            MessageId = messageId,
            Token = token,
            Bytes = bytes.ToArray(),
            Options = options[..count].ToArray(),
            PayloadStart = payload,
        };
    }

    private static bool Extend(ReadOnlySpan<byte> bytes, ref int position, ref int value)
    {
        if (value < 13) { return true; }
        if (value == 13 && position < bytes.Length)
        {
            value = 13 + bytes[position++];
            return true;
        }
        if (value == 14 && position + 1 < bytes.Length)
        {
            value = 269 + BinaryPrimitives.ReadUInt16BigEndian(bytes[position..]);
            position += 2;
            return true;
        }
        return false;
    }

    private static Span<PlainOption> Grow(Span<PlainOption> options)
    {
        var larger = new PlainOption[options.Length * 2];
        options.CopyTo(larger);
        return larger;
    }
}
