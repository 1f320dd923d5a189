using CoAP.Exchanges;

namespace CoAP.Observing;

/// <summary>One entry in the list of observers (RFC 7641, section 4.1): a client, its token, and what it observes.</summary>
internal abstract class Observation(ObserverRegistry registry, ObserverPeer peer, IncomingRequest request) : IAnswerSender, IRegistration
{
    public ObserverRegistry Registry => registry;

    public ExchangeLane Lane => registry.Lane;

    public ObserverPeer Peer => peer;

    /// <summary>The request that registered it.</summary>
    public IncomingRequest Request { get; } = request.WithoutLastBlock();

    public Token Token => Request.Message.Token;

    /// <summary>What it observes.</summary>
    public ObservedRepresentation Representation { get; set; } = null!;

    /// <summary>Its place among the observers of the representation.</summary>
    public int Index { get; set; }

    /// <summary>The number of the representation that was sent last.</summary>
    public long SentNumber { get; protected set; }

    /// <summary>Whether it waits for its peer to have room.</summary>
    public bool IsWaiting { get; set; }

    public bool IsEnded { get; private set; }

    /// <summary>Whether the client was sent the newest representation.</summary>
    public virtual bool IsCurrent => SentNumber >= Representation.Number;

    /// <summary>There is a newer state: it is sent now or as soon as may be. Only the newest one ever is.</summary>
    public abstract void Offer();

    public abstract void Send(CoapResponse response);

    /// <summary>The client is told of its registration.</summary>
    /// <param name="number">The number of the representation that it is told.</param>
    /// <param name="size">The bytes that this takes.</param>
    public virtual void Registered(long number, int size) => SentNumber = number;

    /// <summary>It has ended, and is not to be taken up again after a restart.</summary>
    public virtual void Forget()
    {
    }

    public void Revoke() => registry.Remove(this);

    /// <summary>Nothing more is sent for it.</summary>
    public virtual void End() => IsEnded = true;

    /// <summary>Sends a response through the handlers that follow, the way of any other answer, and back to <see cref="Send"/>.</summary>
    protected void Emit(CoapResponse response) =>
        registry.Answers.Emit(new Answer(Request, response, isAcknowledged: true) { Sender = this });

    protected CoapMessage Compose(CoapResponse response, MessageType type, MessageId messageId) => new()
    {
        Type = type,
        Code = response.Code,
        MessageId = messageId,
        Token = Token,
        Options = response.Options,
        Payload = response.Payload,
    };
}
