namespace CoAP.Serialization;

/// <summary>Seeded bytes for the serializers: noise, messages in order, and messages with a few bytes spoiled.</summary>
internal sealed class MessageBytes(int seed)
{
    private static readonly byte[] Edges = [0x00, 0x0C, 0x0D, 0x0E, 0x0F, 0x40, 0x50, 0x60, 0x70, 0xB1, 0xC0, 0xD0, 0xE0, 0xF0, 0xFE, 0xFF, 0x01, 0x45, 0xE1];

    private readonly Random _random = new(seed);

    public byte[] Next(bool isStream) => _random.Next(4) switch
    {
        0 => Noise(isStream),
        1 => Message(isStream),
        _ => Mutated(Message(isStream)),
    };

    private byte[] Noise(bool isStream)
    {
        var bytes = new byte[_random.Next(40)];
        _random.NextBytes(bytes);
        for (var index = 0; index < bytes.Length; index++)
        {
            if (_random.Next(3) == 0) { bytes[index] = Edges[_random.Next(Edges.Length)]; }
        }
        if (bytes.Length > 0 && !isStream && _random.Next(4) > 0) { bytes[0] = (byte)(0x40 | (bytes[0] & 0x3F)); }
        return bytes;
    }

    private byte[] Mutated(byte[] bytes)
    {
        for (var times = _random.Next(1, 4); times > 0 && bytes.Length > 0; times--)
        {
            var at = _random.Next(bytes.Length);
            bytes = _random.Next(5) switch
            {
                0 => bytes[..at],
                1 => [.. bytes[..at], (byte)_random.Next(256), .. bytes[at..]],
                2 => [.. bytes[..at], .. bytes[(at + 1)..]],
                3 => [.. bytes[..at], Edges[_random.Next(Edges.Length)], .. bytes[(at + 1)..]],
                _ => [.. bytes[..at], (byte)(bytes[at] ^ (1 << _random.Next(8))), .. bytes[(at + 1)..]],
            };
        }
        return bytes;
    }

    // Written here by hand, so that a fault of the library's own writer cannot hide one of its reader.
    private byte[] Message(bool isStream)
    {
        var tokenLength = _random.Next(10) == 0 ? _random.Next(300) : _random.Next(9);
        var token = new byte[tokenLength];
        _random.NextBytes(token);
        byte[] tail = [.. Options(), .. Payload()];
        byte code = isStream ? Pick(0x01, 0x45, 0x84, 0xE1, 0xE2, 0xE4) : Pick(0x01, 0x02, 0x45, 0x84, 0xA0);
        var (tokenNibble, tokenExtended) = Extended(tokenLength);
        if (!isStream)
        {
            return [(byte)(0x40 | (_random.Next(4) << 4) | tokenNibble), code, (byte)_random.Next(256), (byte)_random.Next(256), .. tokenExtended, .. token, .. tail];
        }
        var (nibble, extended) = Extended(tail.Length);
        return [(byte)((nibble << 4) | tokenNibble), .. extended, code, .. tokenExtended, .. token, .. tail];
    }

    private byte[] Options()
    {
        var bytes = new List<byte>();
        for (var count = _random.Next(6); count > 0; count--)
        {
            var value = new byte[_random.Next(12) == 0 ? _random.Next(400) : _random.Next(10)];
            Array.Fill(value, (byte)_random.Next(0x61, 0x7B));
            if (_random.Next(3) == 0) { _random.NextBytes(value); }
            var (delta, deltaExtended) = Extended(_random.Next(8) == 0 ? _random.Next(20_000) : _random.Next(20));
            var (length, lengthExtended) = Extended(value.Length);
            bytes.AddRange([(byte)((delta << 4) | length), .. deltaExtended, .. lengthExtended, .. value]);
        }
        return [.. bytes];
    }

    private byte[] Payload()
    {
        if (_random.Next(2) == 0) { return []; }
        var bytes = new byte[_random.Next(1, 400)];
        _random.NextBytes(bytes);
        return [0xFF, .. bytes];
    }

    private byte Pick(params byte[] values) => values[_random.Next(values.Length)];

    private static (int Nibble, byte[] Bytes) Extended(int value) => value switch
    {
        <= 12 => (value, []),
        <= 268 => (13, [(byte)(value - 13)]),
        _ => (14, [(byte)((value - 269) >> 8), (byte)(value - 269)]),
    };
}
