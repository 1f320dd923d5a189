namespace CoAP.Tool.Pinging;

/// <summary>The code and token of a message on a connection (RFC 8323, sections 3.2 and 4.2).</summary>
internal readonly ref struct StreamHeader
{
    private StreamHeader(byte code, ReadOnlySpan<byte> token)
    {
        Code = code;
        Token = token;
    }

    /// <summary>The code; 0 if the bytes are too short for a message.</summary>
    public byte Code { get; }

    public ReadOnlySpan<byte> Token { get; }

    public static StreamHeader Read(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty) { return default; }
        var lengthBytes = (bytes[0] >> 4) switch { 13 => 1, 14 => 2, 15 => 4, _ => 0 };
        var tokenLength = bytes[0] & 15;
        var codeAt = 1 + lengthBytes;
        return bytes.Length >= codeAt + 1 + tokenLength ? new(bytes[codeAt], bytes.Slice(codeAt + 1, tokenLength)) : default;
    }
}
