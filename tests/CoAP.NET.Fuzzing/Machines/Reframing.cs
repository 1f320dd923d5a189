namespace CoAP.Fuzzing.Machines;

/// <summary>Carries messages between the layouts of RFC 7252, section 3, and RFC 8323, section 3.2. Bytes that are too few stay as they are.</summary>
internal static class Reframing
{
    private const int DatagramHeader = 4;

    /// <summary>Drops type and message ID, and puts the length in front.</summary>
    public static byte[] ToStream(byte[] datagram)
    {
        if (datagram.Length < DatagramHeader) { return datagram; }
        var nibble = datagram[0] & 15;
        var rest = datagram[DatagramHeader..];
        var body = rest.Length - TokenSize(nibble, rest);
        var (length, extended) = body switch
        {
            < 0 => (0, []),
            < 13 => (body, []),
            < 269 => (13, new[] { (byte)(body - 13) }),
            _ => (14, [(byte)((body - 269) >> 8), (byte)(body - 269)]),
        };
        return [(byte)((length << 4) | nibble), .. extended, datagram[1], .. rest];
    }

    /// <summary>Drops the length, and makes the message a confirmable one with the ID 0.</summary>
    public static byte[] ToDatagram(byte[] message)
    {
        if (message.Length < 2) { return message; }
        var extended = (message[0] >> 4) switch { 13 => 1, 14 => 2, 15 => 4, _ => 0 };
        return message.Length < 2 + extended ? message : [(byte)(0x40 | (message[0] & 15)), message[1 + extended], 0, 0, .. message[(2 + extended)..]];
    }

    private static int TokenSize(int nibble, byte[] rest) => nibble switch
    {
        13 when rest.Length >= 1 => 1 + 13 + rest[0],
        14 when rest.Length >= 2 => 2 + 269 + (rest[0] << 8) + rest[1],
        _ => nibble,
    };
}
