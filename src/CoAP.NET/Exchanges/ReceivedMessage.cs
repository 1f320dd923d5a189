using CoAP.Reliability;

namespace CoAP;

/// <summary>A received, well-formed message on its way through the mesh.</summary>
public readonly struct ReceivedMessage
{
    internal ReceivedMessage(in Frame frame, CoapMessage message) => (Frame, Message) = (frame, message);

    /// <summary>The peer and the local address.</summary>
    public ChannelKey Key => Frame.Key;

    /// <summary>The message.</summary>
    public CoapMessage Message { get; }

    /// <summary>Whether the message was sent to a group that this endpoint is a member of (RFC 7252, section 8).</summary>
    public bool IsMulticast => Frame.Group is not null;

    internal Frame Frame { get; }

    /// <summary>Identifies the message in the deduplication table.</summary>
    internal Ticket Ticket { get; init; }

    /// <summary>The number of lanes that have passed the message on because they do not know its exchange.</summary>
    internal int Hops { get; init; }

    internal ReceivedMessage Keep() => new(Frame.Keep(), Message) { Ticket = Ticket, Hops = Hops };
}
