using CoAP.TestSupport;

namespace CoAP.Fuzzing.Oracles;

/// <summary>
/// Reads a datagram bit by bit in the order of figure 7 of RFC 7252. The token length is extended as in RFC 8974, section 2.1. Slow on purpose,
/// and without a line of the library.
/// </summary>
internal sealed class DatagramOracle
{
    private readonly IReadOnlyList<byte> _bytes;
    private int _at;

    private DatagramOracle(IReadOnlyList<byte> bytes) => _bytes = bytes;

    private int Left => _bytes.Count - _at;

    /// <summary>Returns the message, or null where the bytes are none.</summary>
    public static PlainMessage? Read(byte[] datagram)
    {
        try { return new DatagramOracle(datagram).Message(); }
        catch (FormatException) { return null; }
    }

    /// <summary>Reads token, options and payload, as RFC 8323, section 3.2, takes them over.</summary>
    public static (string Token, string Options, string Payload) ReadRest(byte[] bytes, int tokenLength)
    {
        var oracle = new DatagramOracle(bytes);
        var token = Hex.Text(oracle.Take(tokenLength));
        var (options, payload) = oracle.Tail();
        return (token, options, payload);
    }

    private PlainMessage Message()
    {
        var first = Byte();
        // "Implementations of this specification MUST set this field to 1 (01 binary)."
        Require(first >> 6 == 1);
        var type = (first >> 4) & 3;
        var tokenLength = first & 15;
        var code = Byte();
        var id = (Byte() << 8) + Byte();
        // Section 3: classes 1, 6 and 7 are reserved. Section 8323/5.1: 7 is for reliable transports only.
        Require((code >> 5) is 0 or 2 or 4 or 5);
        if (code == 0)
        {
            // Section 4.1: "the Token Length field MUST be set to 0 and bytes of data MUST NOT be present after the Message ID field."
            Require(tokenLength == 0 && Left == 0);
            return new(type, code, id, "", "", "");
        }
        var token = Hex.Text(Take(Extend(tokenLength)));
        var (options, payload) = Tail();
        return new(type, code, id, token, options, payload);
    }

    private (string Options, string Payload) Tail()
    {
        var options = new List<string>();
        var number = 0;
        while (Left > 0)
        {
            var head = Byte();
            if (head == 0xFF)
            {
                // "The presence of a marker followed by a zero-length payload MUST be processed as a message format error."
                Require(Left > 0);
                return (string.Join(' ', options), Hex.Text(Take(Left)));
            }
            number += Extend(head >> 4);
            var length = Extend(head & 15);
            // Numbers have 16 bits (section 12.2).
            Require(number < 65_536);
            options.Add($"{number}={Hex.Text(Take(length))}");
        }
        return (string.Join(' ', options), "");
    }

    // 13: one byte plus 13. 14: two bytes plus 269. 15: reserved.
    private int Extend(int nibble)
    {
        Require(nibble != 15);
        if (nibble == 13) { return Byte() + 13; }
        return nibble == 14 ? (Byte() << 8) + Byte() + 269 : nibble;
    }

    private int Byte()
    {
        Require(Left > 0);
        return _bytes[_at++];
    }

    private byte[] Take(int count)
    {
        Require(count <= Left);
        var taken = _bytes.Skip(_at).Take(count).ToArray();
        _at += count;
        return taken;
    }

    private static void Require(bool holds)
    {
        if (!holds) { throw new FormatException(); }
    }
}
