namespace CoAP.Channels;

/// <summary>One association with one peer, as its lane keeps it.</summary>
internal abstract class LaneChannel(LaneContext lane, ChannelKey key)
{
    public LaneContext Lane => lane;

    public ChannelKey Key => key;

    /// <summary>Sends the request of the exchange now or as soon as the peer's limits allow it.</summary>
    public abstract void Submit(ClientExchange exchange);

    /// <summary>Sends a request of which nothing is kept, or fails it (RFC 8974, section 3.3).</summary>
    public abstract void SendStateless(StatelessRequest request);

    /// <summary>A message ID for a message of ours that is no request; reliable transports have none (RFC 8323, section 3.2).</summary>
    public virtual bool TryNextMessageId(out MessageId messageId)
    {
        messageId = default;
        return false;
    }

    /// <summary>Nothing comes back for this message any more: its ID may rest.</summary>
    public abstract void Settle(MessageId messageId);

    /// <summary>The exchange has ended: whatever waits for it or because of it goes on.</summary>
    public abstract void Release(ClientExchange exchange);
}
