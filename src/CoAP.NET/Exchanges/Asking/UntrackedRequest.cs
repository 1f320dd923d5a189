using CoAP.Lanes;

namespace CoAP.Exchanges;

/// <summary>A request for which the endpoint keeps no state once it is sent (RFC 8974, section 3).</summary>
internal abstract class UntrackedRequest : LaneWork, IAskedMessage
{
    public abstract ChannelKey Key { get; }

    public abstract CoapCode Method { get; }

    public Token Token { get; protected set; }

    /// <summary>The size of the message, in bytes.</summary>
    public abstract int Size { get; }

    public abstract void Submit(in OutgoingRequest request);

    /// <summary>Gives the request its token and message ID. Called by its channel, whose limits allow it.</summary>
    /// <param name="messageId">The message ID, if the transport has message IDs.</param>
    /// <param name="link">The connection, if the transport is reliable.</param>
    public abstract void Admit(MessageId messageId, IFrameLink? link = null);

    public abstract void Send(in OutgoingRequest request);

    public abstract void Fail(Exception error);

    public override void Abandon() => Fail(CoapTransportException.ClientEnded());
}
