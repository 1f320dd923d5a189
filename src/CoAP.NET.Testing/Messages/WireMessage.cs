namespace CoAP.Testing;

/// <summary>
/// A message as RFC 7252, section 3, lays it out, with the token length of RFC 8974, read and written by code of its own: scripts and the library under test share no parser.
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
        var options = new List<WireOption>();
        for (var number = 0; position < bytes.Length && bytes[position] != Marker;)
        {
            var head = bytes[position++];
            number += Extended(bytes, head >> 4, ref position);
            var length = Extended(bytes, head & 15, ref position);
            options.Add(new(number, bytes[position..(position + length)]));
            position += length;
        }
        var payload = position < bytes.Length ? bytes[(position + 1)..] : [];
        return new((bytes[0] >> 4) & 3, bytes[1], (bytes[2] << 8) | bytes[3], token, options, payload);
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
