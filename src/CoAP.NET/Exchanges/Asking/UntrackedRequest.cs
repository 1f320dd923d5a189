using CoAP.Lanes;

namespace CoAP.Exchanges;

/// <summary>A request for which the endpoint keeps no state once it is sent (RFC 8974, section 3).</summary>
internal abstract class UntrackedRequest : LaneWork
{
    /// <summary>The size of the message, in bytes.</summary>
    public abstract int Size { get; }

    /// <summary>Sends the request.</summary>
    /// <param name="messageId">Its message ID, if the transport has message IDs.</param>
    /// <param name="link">The connection, if the transport is reliable.</param>
    public abstract void Send(MessageId messageId, IFrameLink? link = null);

    public abstract void Fail(CoapException error);

    public override void Abandon() => Fail(CoapTransportException.ClientEnded());
}
