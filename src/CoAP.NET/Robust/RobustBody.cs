using System.Net.Sockets;
using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Lanes;

namespace CoAP.Robust;

/// <summary>A robust body that a lane receives or sends as a server (RFC 9177).</summary>
/// <remarks>A Reset for the message that was sent last ends the transfer (RFC 9177, section 4.3).</remarks>
internal abstract class RobustBody(ExchangeLane lane, RobustBodyStore robust, in BodyKey body, in ChannelKey key) : ILaneDeadline, IUnsettled
{
    public BodyKey Body { get; } = body;

    public ChannelKey Key { get; } = key;

    public MessageId MessageId { get; private set; }

    public Token Token { get; private set; }

    public long Deadline { get; private set; } = long.MaxValue;

    public int QueueIndex { get; set; }

    /// <summary>The bytes that are charged for the body.</summary>
    public long Charged { get; set; }

    protected ExchangeLane Lane => lane;

    protected RobustBodyStore Robust => robust;

    public abstract void OnDeadline();

    public void OnAcknowledged()
    {
    }

    public void OnReset() => Drop();

    public void OnNetworkError(SocketError error) => Drop();

    /// <summary>Sends no more messages.</summary>
    public void StopSending()
    {
        lane.Exchanges.RemoveUnsettled(this);
        WakeAt(long.MaxValue);
    }

    /// <summary>Removes the body from its store.</summary>
    protected abstract void Drop();

    protected void Send(in RobustPart part)
    {
        if (!lane.TryNextMessageId(Key, out var messageId)) { return; }
        lane.Exchanges.RemoveUnsettled(this);
        (MessageId, Token) = (messageId, part.Token);
        lane.Exchanges.AddUnsettled(this);
        robust.Blocks.Emit(new OutgoingMessage(Key, part.ToMessage(MessageType.NonConfirmable, messageId)));
        lane.Settle(Key, messageId);
    }

    protected void WakeAt(long time)
    {
        Deadline = time;
        if (time == long.MaxValue) { lane.Unschedule(this); }
        else { lane.Schedule(this); }
    }
}
