using CoAP.Exchanges;

namespace CoAP;

/// <summary>A response to a request of this endpoint, or a notification, on its way back to the caller.</summary>
public readonly struct IncomingResponse
{
    internal IncomingResponse(ITokenOwner owner, in ReceivedMessage message, bool isOfStage) =>
        (Owner, Key, Message, IsOfStage) = (owner, message.Key, message.Message, isOfStage);

    /// <summary>The peer that responds, and the local address. In a group, each member has its own.</summary>
    public ChannelKey Key { get; }

    /// <summary>The message. Its token is that of the request.</summary>
    public CoapMessage Message { get; private init; }

    /// <summary>What waits for responses with the token.</summary>
    internal ITokenOwner Owner { get; }

    /// <summary>Whether a stage has verified the response by itself. Those who share the channel do not have its credentials.</summary>
    internal bool IsOfStage { get; }

    /// <summary>Returns the response with other contents, for example decrypted ones. It stays part of the same exchange.</summary>
    /// <param name="message">The contents, with the same type, message ID and token.</param>
    /// <exception cref="ArgumentException">The message does not belong to the same exchange.</exception>
    public IncomingResponse With(CoapMessage message)
    {
        MessageReplacement.Check(Message, message);
        return this with { Message = message };
    }
}
