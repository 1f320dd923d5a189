namespace CoAP.Exchanges;

/// <summary>The Empty messages that handlers answer (RFC 7252, section 4.1).</summary>
internal static class Reactions
{
    /// <summary>Says that a message made no sense (RFC 7252, section 4.2).</summary>
    public static OutgoingMessage Reset(in ChannelKey key, MessageId messageId) =>
        new(key, new CoapMessage { Type = MessageType.Reset, MessageId = messageId });

    /// <summary>Says that a message was received.</summary>
    public static OutgoingMessage Acknowledge(in ChannelKey key, MessageId messageId) =>
        new(key, new CoapMessage { Type = MessageType.Acknowledgement, MessageId = messageId });
}
