using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Reliability;
using CoAP.Transports;

namespace CoAP;

/// <summary>A message on its way to the serializer.</summary>
public readonly struct OutgoingMessage
{
    internal OutgoingMessage(in ChannelKey key, CoapMessage message) => (Key, Message) = (key, message);

    /// <summary>Peer and local address.</summary>
    public ChannelKey Key { get; }

    /// <summary>The message.</summary>
    public CoapMessage Message { get; }

    /// <summary>The connection, if the transport is reliable.</summary>
    internal IFrameLink? Link { get; init; }

    /// <summary>The way to a group; absent where there is one peer.</summary>
    internal GroupPath? Group { get; init; }

    /// <summary>The multicast request that this message answers, within its leisure and if it is worth it; absent otherwise.</summary>
    internal IRoutedRequest? ToMulticast { get; init; }

    /// <summary>The received message that this one answers, for its duplicates.</summary>
    internal Ticket Ticket { get; init; }

    /// <summary>Whether the bytes are kept for duplicates of what is answered, and how early they may be dropped.</summary>
    internal RetentionClass? Retention { get; init; }
}
