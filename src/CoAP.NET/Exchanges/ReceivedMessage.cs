using CoAP.Exchanges;
using CoAP.Reliability;

namespace CoAP;

/// <summary>A received, well-formed message on its way through the mesh.</summary>
public readonly struct ReceivedMessage
{
    internal ReceivedMessage(in Frame frame, CoapMessage message) => (Frame, Message) = (frame, message);

    /// <summary>The peer and the local address.</summary>
    public ChannelKey Key => Frame.Key;

    /// <summary>The message.</summary>
    public CoapMessage Message { get; private init; }

    /// <summary>The credentials of the peer; <see langword="null"/> if neither the transport nor a stage has verified any.</summary>
    /// <remarks>A stage that verifies a message sets them. They become the credentials of the request.</remarks>
    public PeerCredentials? Credentials { get => Frame.Credentials; init => Frame = Frame with { Credentials = value }; }

    /// <summary>Whether the message was sent to a group that this endpoint is a member of (RFC 7252, section 8).</summary>
    public bool IsMulticast => Frame.Group is not null;

    internal Frame Frame { get; private init; }

    /// <summary>Identifies the message in the deduplication table.</summary>
    internal Ticket Ticket { get; init; }

    /// <summary>The number of lanes that have passed the message on because they do not know its exchange.</summary>
    internal int Hops { get; init; }

    /// <summary>Returns the message with other contents, for example decrypted ones. It stays part of the same exchange.</summary>
    /// <param name="message">The contents, with the same type, message ID and token. A request stays a request, and a response a response.</param>
    /// <exception cref="ArgumentException">The message does not belong to the same exchange.</exception>
    public ReceivedMessage With(CoapMessage message)
    {
        MessageReplacement.Check(Message, message);
        return this with { Message = message };
    }

    internal ReceivedMessage Keep() => new(Frame.Keep(), Message) { Ticket = Ticket, Hops = Hops };
}
