namespace CoAP.TestSupport;

/// <summary>Bytes as they stand in an RFC: one line per field, a remark behind '#'.</summary>
public static class Hex
{
    /// <summary>The bytes of hexadecimal text; blanks and line breaks do not count, nor does what follows '#' on a line.</summary>
    public static byte[] Bytes(string text)
    {
        var digits = text.Split('\n').Select(line => line.Split('#')[0]);
        return Convert.FromHexString(string.Concat(digits.SelectMany(line => line.Where(one => !char.IsWhiteSpace(one)))));
    }

    /// <summary>The bytes as text, in lower case and without blanks.</summary>
    public static string Text(ReadOnlySpan<byte> bytes) => Convert.ToHexStringLower(bytes);
}
