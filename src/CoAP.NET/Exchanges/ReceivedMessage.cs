using CoAP.Reliability;

namespace CoAP;

/// <summary>A message that was received and understood, on its way through the handlers.</summary>
public readonly struct ReceivedMessage
{
    internal ReceivedMessage(in Frame frame, CoapMessage message) => (Frame, Message) = (frame, message);

    /// <summary>Peer and local address.</summary>
    public ChannelKey Key => Frame.Key;

    /// <summary>The message.</summary>
    public CoapMessage Message { get; }

    /// <summary>Whether it was sent to a group that this endpoint is a member of (RFC 7252, section 8).</summary>
    public bool IsMulticast => Frame.Group is not null;

    internal Frame Frame { get; }

    /// <summary>What deduplication remembers it by.</summary>
    internal Ticket Ticket { get; init; }

    /// <summary>How many lanes have seen it without knowing its exchange.</summary>
    internal int Hops { get; init; }

    internal ReceivedMessage Keep() => new(Frame.Keep(), Message) { Ticket = Ticket, Hops = Hops };
}
