using System.Buffers.Binary;

namespace CoAP.Fuzzing.Oracles;

/// <summary>
/// Reads the frames of a WebSocket client as RFC 6455, section 5.2, lays them out, up to the first that breaks a rule. Slow on purpose, and
/// without a line of the library.
/// </summary>
internal static class WebSocketOracle
{
    private const int Continuation = 0;
    private const int Binary = 2;
    private const int Close = 8;

    /// <summary>Returns the binary messages that are complete before the first error, text or Close.</summary>
    /// <param name="bytes">What the client has sent.</param>
    /// <param name="maxSize">The largest message that the server accepts.</param>
    public static List<byte[]> Read(byte[] bytes, int maxSize)
    {
        var messages = new List<byte[]>();
        List<byte>? message = null;
        for (var at = 0; TryReadFrame(bytes, ref at, out var isFinal, out var opcode, out var payload);)
        {
            if (opcode > Close) { continue; }       // Ping or Pong
            if (opcode == Continuation ? message is null : opcode != Binary || message is not null) { break; }
            message ??= [];
            message.AddRange(payload);
            if (message.Count > maxSize) { break; }
            if (!isFinal) { continue; }
            messages.Add([.. message]);
            message = null;
        }
        return messages;
    }

    private static bool TryReadFrame(byte[] bytes, ref int at, out bool isFinal, out int opcode, out byte[] payload)
    {
        (isFinal, opcode, payload) = (false, 0, []);
        if (bytes.Length - at < 2) { return false; }
        var (first, second) = (bytes[at], bytes[at + 1]);
        (isFinal, opcode) = ((first & 0x80) != 0, first & 15);
        // Reserved bits are 0, a client masks, and a control frame is short and whole (sections 5.1, 5.2 and 5.5).
        if ((first & 0x70) != 0 || (second & 0x80) == 0 || opcode is (> 2 and < 8) or > 10) { return false; }
        long length = second & 0x7F;
        if (opcode >= Close && !isFinal) { return false; }
        var head = 2 + (length == 126 ? 2 : length == 127 ? 8 : 0) + 4;
        if (bytes.Length - at < head) { return false; }
        if (length == 126) { length = BinaryPrimitives.ReadUInt16BigEndian(bytes.AsSpan(at + 2)); }
        else if (length == 127) { length = BinaryPrimitives.ReadInt64BigEndian(bytes.AsSpan(at + 2)); }
        // The runtime does not insist on the shortest form of a length (section 5.2), and so neither does the oracle.
        if (opcode >= Close && length > 125) { return false; }
        if (length < 0 || length > bytes.Length - at - head) { return false; }
        var mask = bytes[(at + head - 4)..(at + head)];
        payload = [.. bytes.Skip(at + head).Take((int)length).Select((one, index) => (byte)(one ^ mask[index % 4]))];
        at += head + (int)length;
        return true;
    }
}
