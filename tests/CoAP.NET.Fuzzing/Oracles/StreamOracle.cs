namespace CoAP.Fuzzing.Oracles;

/// <summary>What the first bytes of a stream are.</summary>
internal enum StreamVerdict
{
    Message,
    NeedsMore,
    Malformed,
}

/// <summary>Cuts a byte stream into messages as figure 4 of RFC 8323 lays them out. Slow on purpose, and without a line of the library.</summary>
internal static class StreamOracle
{
    /// <summary>Reads the first message.</summary>
    /// <param name="bytes">The bytes that have arrived.</param>
    /// <param name="message">The message, if there is one.</param>
    /// <param name="length">Its number of bytes.</param>
    public static StreamVerdict Read(byte[] bytes, out PlainMessage? message, out long length)
    {
        (message, length) = (null, 0);
        if (bytes.Length == 0) { return StreamVerdict.NeedsMore; }
        int len = bytes[0] >> 4, tkl = bytes[0] & 15;
        // RFC 8974, section 2.1: 15 is a message format error, whatever follows.
        if (tkl == 15) { return StreamVerdict.Malformed; }
        var lenBytes = len < 13 ? 0 : len == 13 ? 1 : len == 14 ? 2 : 4;
        var tokenBytes = tkl < 13 ? 0 : tkl - 12;
        var header = 1 + lenBytes + 1 + tokenBytes;
        if (bytes.Length < header) { return StreamVerdict.NeedsMore; }
        var body = lenBytes == 0 ? len : Number(bytes, 1, lenBytes) + (len == 13 ? 13 : len == 14 ? 269 : 65_805);
        var token = tokenBytes == 0 ? tkl : Number(bytes, header - tokenBytes, tokenBytes) + (tkl == 13 ? 13 : 269);
        length = header + token + body;
        if (bytes.Length < length) { return StreamVerdict.NeedsMore; }
        return TryReadWhole(bytes[header..(int)length], bytes[1 + lenBytes], (int)token, out message) ? StreamVerdict.Message : StreamVerdict.Malformed;
    }

    private static bool TryReadWhole(byte[] rest, int code, int tokenLength, out PlainMessage? message)
    {
        message = null;
        if (code >> 5 is 1 or 3 or 6) { return false; }
        if (code == 0)
        {
            // An Empty message has no token, no options and no payload (RFC 7252, section 4.1).
            message = rest.Length == 0 ? new(0, 0, 0, "", "", "") : null;
            return message is not null;
        }
        try
        {
            var (token, options, payload) = DatagramOracle.ReadRest(rest, tokenLength);
            message = new(0, code, 0, token, options, payload);
            return true;
        }
        catch (FormatException) { return false; }
    }

    private static long Number(byte[] bytes, int at, int count)
    {
        long number = 0;
        for (var index = at; index < at + count; index++) { number = (number * 256) + bytes[index]; }
        return number;
    }
}
