namespace CoAP.Exchanges;

/// <summary>The rule for a stage that replaces a message, for example by its decrypted form.</summary>
internal static class MessageReplacement
{
    /// <summary>Throws if the new message would no longer belong to the exchange of the old one.</summary>
    /// <exception cref="ArgumentException">The type, the message ID or the token differs, or one is a request and the other is not.</exception>
    public static void Check(CoapMessage? before, CoapMessage message)
    {
        ArgumentNullException.ThrowIfNull(message);
        if (before is null) { throw new InvalidOperationException("There is no message to replace."); }
        if (message.Type != before.Type || message.MessageId != before.MessageId || message.Token != before.Token)
        {
            throw new ArgumentException($"Message {message} cannot replace {before}: its type, message ID or token differs.", nameof(message));
        }
        if (message.Code.IsRequest != before.Code.IsRequest || message.Code.IsResponse != before.Code.IsResponse
            || message.Code.IsSignal != before.Code.IsSignal)
        {
            throw new ArgumentException($"Code {message.Code} cannot replace {before.Code}: a request stays a request, and a response a response.", nameof(message));
        }
    }
}
