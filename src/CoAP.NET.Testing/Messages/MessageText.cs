namespace CoAP.Testing;

/// <summary>Writes received bytes as a message, or as bytes if they are none.</summary>
internal static class MessageText
{
    private const int MostBytes = 32;

    public static string OfDatagram(ReadOnlySpan<byte> bytes) => Of(bytes, static bytes => MessageNotation.Describe(WireMessage.Read(bytes)));

    /// <summary>Writes a message of a connection.</summary>
    public static string OfFrame(ReadOnlySpan<byte> bytes) => Of(bytes, static bytes => MessageNotation.DescribeFrame(WireMessage.ReadFrame(bytes)));

    private static string Of(ReadOnlySpan<byte> bytes, Func<byte[], string> describe)
    {
        try { return describe(bytes.ToArray()); }
        catch (Exception exception) when (exception is FormatException or IndexOutOfRangeException or ArgumentOutOfRangeException)
        {
            return $"{bytes.Length} bytes {Convert.ToHexStringLower(bytes.Length > MostBytes ? bytes[..MostBytes] : bytes)}{(bytes.Length > MostBytes ? "…" : "")}";
        }
    }
}
