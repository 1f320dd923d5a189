namespace CoAP.Testing;

/// <summary>
/// A message as RFC 7252, section 3, lays it out, with the token length of RFC 8974. It is read and written by code of its own: scripts and the library under test share no parser.
/// </summary>
internal sealed record WireMessage(int Type, int Code, int Id, byte[] Token, IReadOnlyList<WireOption> Options, byte[] Payload)
{
    private const int Marker = 0xFF;

    /// <exception cref="FormatException">The bytes are no message.</exception>
    public static WireMessage Read(byte[] bytes)
    {
        if (bytes.Length < 4 || bytes[0] >> 6 != 1) { throw new FormatException($"{Convert.ToHexStringLower(bytes)} is no message of version 1."); }
        var position = 4;
        var tokenLength = Extended(bytes, bytes[0] & 15, ref position);
        var token = bytes[position..(position += tokenLength)];
        var (options, payload) = ReadContent(bytes, position);
        return new((bytes[0] >> 4) & 3, bytes[1], (bytes[2] << 8) | bytes[3], token, options, payload);
    }

    /// <summary>Reads a message of a connection, as RFC 8323, section 3.2, lays it out. It has neither type nor message ID.</summary>
    public static WireMessage ReadFrame(byte[] bytes)
    {
        if (FrameLength(bytes) != bytes.Length) { throw new FormatException($"{Convert.ToHexStringLower(bytes)} is not one message."); }
        var position = 1 + LengthBytes(bytes[0]);
        var code = bytes[position++];
        var tokenLength = Extended(bytes, bytes[0] & 15, ref position);
        var token = bytes[position..(position += tokenLength)];
        var (options, payload) = ReadContent(bytes, position);
        return new(Type: 0, code, Id: 0, token, options, payload);
    }

    /// <summary>Returns the length of the message that bytes of a connection begin with; <see langword="null"/> if there are too few to tell.</summary>
    public static long? FrameLength(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty) { return null; }
        var (length, tokenLength, lengthBytes) = ((long)bytes[0] >> 4, bytes[0] & 15, LengthBytes(bytes[0]));
        var tokenBytes = tokenLength switch { 13 => 1, 14 => 2, _ => 0 };
        var head = 1 + lengthBytes + 1 + tokenBytes;
        if (bytes.Length < head) { return null; }
        if (lengthBytes > 0) { length = Number(bytes.Slice(1, lengthBytes)) + lengthBytes switch { 1 => 13, 2 => 269, _ => 65_805 }; }
        var token = tokenBytes == 0 ? tokenLength : Number(bytes.Slice(head - tokenBytes, tokenBytes)) + (tokenBytes == 1 ? 13 : 269);
        return head + token + length;
    }

    private static (List<WireOption> Options, byte[] Payload) ReadContent(byte[] bytes, int position)
    {
        var options = new List<WireOption>();
        for (var number = 0; position < bytes.Length && bytes[position] != Marker;)
        {
            var head = bytes[position++];
            number += Extended(bytes, head >> 4, ref position);
            var length = Extended(bytes, head & 15, ref position);
            options.Add(new(number, bytes[position..(position + length)]));
            position += length;
        }
        return (options, position < bytes.Length ? bytes[(position + 1)..] : []);
    }

    public byte[] ToBytes()
    {
        var (tokenLength, tokenBytes) = Nibble(Token.Length);
        List<byte> bytes = [(byte)(0x40 | (Type << 4) | tokenLength), (byte)Code, (byte)(Id >> 8), (byte)Id, .. tokenBytes, .. Token];
        var previous = 0;
        foreach (var (number, value) in Options.OrderBy(option => option.Number))
        {
            var (delta, deltaBytes) = Nibble(number - previous);
            var (length, lengthBytes) = Nibble(value.Length);
            bytes.AddRange([(byte)((delta << 4) | length), .. deltaBytes, .. lengthBytes, .. value]);
            previous = number;
        }
        return Payload.Length == 0 ? [.. bytes] : [.. bytes, Marker, .. Payload];
    }

    private static int LengthBytes(byte first) => (first >> 4) switch { 13 => 1, 14 => 2, 15 => 4, _ => 0 };

    private static long Number(ReadOnlySpan<byte> bytes)
    {
        var value = 0L;
        foreach (var octet in bytes) { value = (value << 8) | octet; }
        return value;
    }

    private static int Extended(byte[] bytes, int nibble, ref int position) => nibble switch
    {
        13 => bytes[position++] + 13,
        14 => (bytes[position++] << 8) + bytes[position++] + 269,
        _ => nibble,
    };

    private static (int Nibble, byte[] More) Nibble(int value) => value switch
    {
        < 13 => (value, []),
        < 269 => (13, [(byte)(value - 13)]),
        _ => (14, [(byte)((value - 269) >> 8), (byte)(value - 269)]),
    };
}

/// <summary>An option as it stands on the wire.</summary>
internal sealed record WireOption(int Number, byte[] Value);
