namespace CoAP.Testing;

/// <summary>Writes received bytes as a message, or as bytes if they are none.</summary>
internal static class MessageText
{
    public static string Of(ReadOnlySpan<byte> bytes)
    {
        try { return MessageNotation.Describe(WireMessage.Read(bytes.ToArray())); }
        catch (Exception exception) when (exception is FormatException or IndexOutOfRangeException or ArgumentOutOfRangeException)
        {
            return $"{bytes.Length} bytes {Convert.ToHexStringLower(bytes.Length > 32 ? bytes[..32] : bytes)}{(bytes.Length > 32 ? "…" : "")}";
        }
    }
}
