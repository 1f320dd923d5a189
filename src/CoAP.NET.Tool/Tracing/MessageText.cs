using System.Globalization;
using System.Text;
using CoAP.Tool.Printing;

namespace CoAP.Tool.Tracing;

/// <summary>A message on one line: type, code, message ID, token, options, and the beginning of the payload.</summary>
internal static class MessageText
{
    private const int LongestPayload = 48;

    /// <summary>Returns the text of a message, such as "CON GET id 4711 token 1f [Uri-Path: hello]".</summary>
    /// <param name="message">The message.</param>
    /// <param name="isReliable">Whether it belongs to a connection. Such messages have neither type nor message ID (RFC 8323, section 3.2).</param>
    public static string Of(CoapMessage message, bool isReliable)
    {
        var text = new StringBuilder();
        if (!isReliable) { text.Append(CultureInfo.InvariantCulture, $"{TypeOf(message.Type)} "); }
        text.Append(CodeName.Describe(message.Code));
        if (!isReliable) { text.Append(CultureInfo.InvariantCulture, $" id {message.MessageId}"); }
        if (!message.Token.IsEmpty) { text.Append(CultureInfo.InvariantCulture, $" token {message.Token}"); }
        if (!message.Options.IsEmpty) { text.Append(CultureInfo.InvariantCulture, $" [{OptionText.Of(message.Options, message.Code)}]"); }
        if (!message.Payload.IsEmpty) { text.Append(CultureInfo.InvariantCulture, $" {ByteCount.Of(message.Payload.Length)} {PayloadOf(message.Payload.Span)}"); }
        return text.ToString();
    }

    private static string TypeOf(MessageType type) => type switch
    {
        MessageType.Confirmable => "CON",
        MessageType.NonConfirmable => "NON",
        MessageType.Acknowledgement => "ACK",
        _ => "RST",
    };

    private static string PayloadOf(ReadOnlySpan<byte> payload)
    {
        var end = Math.Min(payload.Length, LongestPayload);
        // Not within a character of UTF-8.
        while (end > 0 && end < payload.Length && (payload[end] & 0xC0) == 0x80) { end--; }
        var shown = payload[..end];
        var more = shown.Length < payload.Length ? "…" : "";
        return PayloadPrinter.TryDecode(shown) is { } text ? $"\"{Printable.Of(text)}\"{more}" : $"0x{Convert.ToHexStringLower(shown)}{more}";
    }
}
