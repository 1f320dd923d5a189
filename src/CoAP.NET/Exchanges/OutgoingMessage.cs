using CoAP.Lanes;
using CoAP.Reliability;
using CoAP.Transports;

namespace CoAP;

/// <summary>A message on its way to the serializer.</summary>
public readonly struct OutgoingMessage
{
    internal OutgoingMessage(in ChannelKey key, CoapMessage message) => (Key, Message) = (key, message);

    /// <summary>The peer and the local address.</summary>
    public ChannelKey Key { get; }

    /// <summary>The message.</summary>
    public CoapMessage Message { get; }

    /// <summary>The connection, if the transport is reliable.</summary>
    internal IFrameLink? Link { get; init; }

    /// <summary>The path to a group; <see langword="null"/> if the message goes to one peer.</summary>
    internal GroupPath? Group { get; init; }

    /// <summary>Identifies the received message that this one answers, so that duplicates get the same answer.</summary>
    internal Ticket Ticket { get; init; }

    /// <summary>How the bytes are kept for duplicates of the answered message; <see langword="null"/> if they are not kept.</summary>
    internal RetentionClass? Retention { get; init; }
}
