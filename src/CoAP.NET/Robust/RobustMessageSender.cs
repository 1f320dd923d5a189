using System.Net.Sockets;
using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Lanes;

namespace CoAP.Robust;

/// <summary>Sends the non-confirmable messages of a robust transfer (RFC 9177), one of which at a time can still be rejected.</summary>
internal abstract class RobustMessageSender(ExchangeLane lane, Output<OutgoingMessage> output, in ChannelKey key) : IMovableDeadline, IUnsettled
{
    public ChannelKey Key { get; } = key;

    public MessageId MessageId { get; private set; }

    public Token Token { get; private set; }

    public long Deadline { get; set; } = long.MaxValue;

    public int QueueIndex { get; set; }

    protected ExchangeLane Lane => lane;

    public abstract void OnDeadline();

    public abstract void OnReset();

    public abstract void OnNetworkError(SocketError error);

    /// <summary>Sends no more messages.</summary>
    public virtual void StopSending()
    {
        lane.Exchanges.RemoveUnsettled(this);
        lane.WakeAt(this, long.MaxValue);
    }

    /// <summary>Sends a message. Returns <see langword="false"/> if no message ID is free.</summary>
    protected bool TrySend(in RobustPart part)
    {
        if (!lane.TryNextMessageId(Key, out var messageId)) { return false; }
        lane.Exchanges.RemoveUnsettled(this);
        (MessageId, Token) = (messageId, part.Token);
        lane.Exchanges.AddUnsettled(this);
        output.Emit(new OutgoingMessage(Key, part.ToMessage(MessageType.NonConfirmable, messageId)));
        lane.Settle(Key, messageId);
        return true;
    }
}
