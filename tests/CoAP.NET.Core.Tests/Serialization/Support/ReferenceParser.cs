namespace CoAP.Serialization;

/// <summary>
/// A second parser, written from RFC 7252, section 3, alone and as plainly as it stands there: the judge over the one under test.
/// It knows nothing of the library beyond the numbers on the wire.
/// </summary>
internal static class ReferenceParser
{
    /// <summary>The message, or null where the bytes are none.</summary>
    public static ReferenceMessage? Datagram(byte[] bytes)
    {
        if (bytes.Length < 4 || bytes[0] / 64 != 1) { return null; }
        int type = bytes[0] / 16 % 4, tokenLength = bytes[0] % 16, code = bytes[1], id = (bytes[2] * 256) + bytes[3];
        if (code == 0) { return bytes.Length == 4 && tokenLength == 0 ? new(type, code, id, [], [], []) : null; }
        if (code / 32 is not (0 or 2 or 4 or 5)) { return null; }
        return Rest(new Queue<byte>(bytes[4..]), type, code, id, tokenLength);
    }

    /// <summary>RFC 8323, section 3.2: the bytes are to be exactly one message.</summary>
    public static ReferenceMessage? Stream(byte[] bytes)
    {
        var input = new Queue<byte>(bytes);
        if (!Take(input, 1, out var first)) { return null; }
        long length = first / 16;
        var tokenLength = (int)first % 16;
        if (length == 13 && Take(input, 1, out var extended)) { length = extended + 13; }
        else if (length == 14 && Take(input, 2, out extended)) { length = extended + 269; }
        else if (length == 15 && Take(input, 4, out extended)) { length = extended + 65_805; }
        else if (length > 12) { return null; }
        if (!Take(input, 1, out var code) || code / 32 is 1 or 3 or 6) { return null; }
        if (code == 0) { return tokenLength == 0 && length == 0 && input.Count == 0 && first == 0 ? new(0, 0, 0, [], [], []) : null; }
        return Rest(input, 0, (int)code, 0, tokenLength, length);
    }

    private static ReferenceMessage? Rest(Queue<byte> input, int type, int code, int id, int tokenLength, long? tailLength = null)
    {
        if (tokenLength == 13 && Take(input, 1, out var extended)) { tokenLength = (int)extended + 13; }
        else if (tokenLength == 14 && Take(input, 2, out extended)) { tokenLength = (int)extended + 269; }
        else if (tokenLength > 12) { return null; }
        if (!Bytes(input, tokenLength, out var token)) { return null; }
        if (tailLength is { } length && length != input.Count) { return null; }
        var options = new List<(int Number, byte[] Value)>();
        var number = 0;
        while (input.TryDequeue(out var head))
        {
            if (head == 255) { return input.Count > 0 ? new(type, code, id, token, options, [.. input]) : null; }
            if (!Nibble(input, head / 16, out var delta) || !Nibble(input, head % 16, out var size)) { return null; }
            number += delta;
            if (number > 65_535 || !Bytes(input, size, out var value)) { return null; }
            options.Add((number, value));
        }
        return new(type, code, id, token, options, []);
    }

    // RFC 7252, section 3.1: 13 and 14 announce one or two more bytes, 15 is reserved.
    private static bool Nibble(Queue<byte> input, int nibble, out int value)
    {
        value = nibble;
        if (nibble <= 12) { return true; }
        if (nibble == 15 || !Take(input, nibble - 12, out var extended)) { return false; }
        value = (int)extended + (nibble == 13 ? 13 : 269);
        return true;
    }

    private static bool Take(Queue<byte> input, int count, out long value)
    {
        value = 0;
        if (input.Count < count) { return false; }
        for (; count > 0; count--) { value = (value * 256) + input.Dequeue(); }
        return true;
    }

    private static bool Bytes(Queue<byte> input, int count, out byte[] bytes)
    {
        bytes = [];
        if (input.Count < count) { return false; }
        bytes = new byte[count];
        for (var index = 0; index < count; index++) { bytes[index] = input.Dequeue(); }
        return true;
    }
}

internal sealed record ReferenceMessage(int Type, int Code, int Id, byte[] Token, List<(int Number, byte[] Value)> Options, byte[] Payload);
