using CoAP.Exchanges;
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
    public CoapMessage Message { get; private init; }

    /// <summary>The connection, if the transport is reliable.</summary>
    internal IFrameLink? Link { get; init; }

    /// <summary>The path to a group; <see langword="null"/> if the message goes to one peer.</summary>
    internal GroupPath? Group { get; init; }

    /// <summary>Identifies the received message that this one answers, so that duplicates get the same answer.</summary>
    internal Ticket Ticket { get; init; }

    /// <summary>The request that the message answers for the first time; <see langword="null"/> for all other messages.</summary>
    internal IOpenRequest? Request { get; init; }

    /// <summary>How the bytes are kept for duplicates of the answered message; <see langword="null"/> if they are not kept.</summary>
    internal RetentionClass? Retention { get; init; }

    /// <summary>Returns the message with other contents, for example encrypted ones. It stays part of the same exchange.</summary>
    /// <param name="message">The contents, with the same type, message ID and token. A request stays a request, and a response a response.</param>
    /// <exception cref="ArgumentException">The message does not belong to the same exchange.</exception>
    /// <remarks>The new message must fit into the transport's limits. A response that does not becomes 5.00 (Internal Server Error).</remarks>
    public OutgoingMessage With(CoapMessage message)
    {
        MessageReplacement.Check(Message, message);
        return this with { Message = message };
    }
}
