namespace CoAP.Tests.Siege;

/// <summary>What a server has to do with a frame: a second reading of RFC 8323, written for the tests from the clauses alone.</summary>
/// <remarks>For tokens of up to twelve bytes, a limit of messages and a limit above which it aborts.</remarks>
internal static class FrameOracle
{
    public const int MaxMessage = 1000;
    public const int AbortAbove = 5000;

    public enum Fate { LivesOn, Aborts, Ends, Unspecified }

    /// <param name="code">The second field of the header.</param>
    /// <param name="tokenNibble">The low half of its first byte.</param>
    /// <param name="token">As many bytes as the nibble says; none where it is 15.</param>
    /// <param name="body">Options, marker and payload.</param>
    /// <param name="total">The bytes of the whole frame.</param>
    public static Fate Judge(byte code, int tokenNibble, byte[] token, byte[] body, int total)
    {
        var (codeClass, isRequest) = (code >> 5, code is > 0 and < 32);
        var isResponse = codeClass is 2 or 4 or 5;
        if (tokenNibble == 15) { return Fate.Aborts; }                      // RFC 8974, section 2.1
        if (token.Length > 8 && !isResponse) { return Fate.Aborts; }        // RFC 8974, section 2.2.1
        if (total > AbortAbove) { return Fate.Aborts; }
        if (total > MaxMessage) { return isRequest || isResponse || code == 0 ? Fate.LivesOn : Fate.Aborts; }
        if (codeClass is 1 or 3 or 6) { return Fate.Aborts; }               // RFC 7252, section 3
        if (code == 0) { return token.Length + body.Length == 0 ? Fate.LivesOn : Fate.Aborts; }
        if (ReadOptions(body) is not { } options) { return Fate.Aborts; }
        return codeClass == 7 ? JudgeSignal(code, options) : Fate.LivesOn;
    }

    private static Fate JudgeSignal(byte code, List<(int Number, int Length)> options)
    {
        if (code == 0xE5) { return Fate.Ends; }                                                     // 7.05: RFC 8323, section 5.6
        if (options.Exists(static option => option.Number % 2 == 1)) { return Fate.Aborts; }        // section 5.2
        if (code == 0xE4) { return Fate.Ends; }                                                     // 7.04: section 5.5
        return code == 0xE1 && options.Exists(static option => option.Number == 2) ? Fate.Unspecified : Fate.LivesOn;
    }

    /// <summary>The options by number and length; nothing where the bytes break RFC 7252, section 3.1.</summary>
    private static List<(int Number, int Length)>? ReadOptions(byte[] body)
    {
        var (options, at, number) = (new List<(int, int)>(), 0, 0);
        while (at < body.Length)
        {
            if (body[at] == 0xFF) { return at + 1 < body.Length ? options : null; }
            var (first, next) = (body[at], at + 1);
            if (Extended(first >> 4, body, ref next) is not { } delta || Extended(first & 15, body, ref next) is not { } length) { return null; }
            number += delta;
            at = next + length;
            if (number > 65_535 || at > body.Length) { return null; }
            options.Add((number, length));
        }
        return options;
    }

    private static int? Extended(int nibble, byte[] body, ref int at)
    {
        var (bytes, offset) = nibble switch { 13 => (1, 13), 14 => (2, 269), _ => (0, nibble) };
        if (nibble == 15 || at + bytes > body.Length) { return null; }
        var value = bytes switch { 1 => body[at], 2 => (body[at] << 8) + body[at + 1], _ => 0 };
        at += bytes;
        return value + offset;
    }
}
