using CoAP.Reliability;

namespace CoAP.Exchanges;

/// <summary>Creates the Empty messages that stages send in reaction to a message (RFC 7252, section 4.1).</summary>
internal static class EmptyMessages
{
    /// <summary>Creates a Reset, which rejects a message (RFC 7252, section 4.2).</summary>
    public static OutgoingMessage Reset(in ChannelKey key, MessageId messageId) =>
        new(key, new CoapMessage { Type = MessageType.Reset, MessageId = messageId });

    /// <summary>Creates an empty acknowledgement.</summary>
    public static OutgoingMessage Acknowledge(in ChannelKey key, MessageId messageId) =>
        new(key, new CoapMessage { Type = MessageType.Acknowledgement, MessageId = messageId });

    /// <summary>Sends the empty acknowledgement of a request, unless the request needs none or has one already.</summary>
    public static void Acknowledge(IncomingRequest request, Output<OutgoingMessage> output, RetentionClass? retention = null)
    {
        if (!request.NeedsAcknowledgement) { return; }
        request.IsAcknowledged = true;
        output.Emit(Acknowledge(request.Key, request.Message.MessageId) with { Ticket = request.Ticket, Retention = retention });
    }
}
