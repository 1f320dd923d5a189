namespace CoAP.Channels;

/// <summary>One association with one peer, as its lane keeps it.</summary>
internal abstract class LaneChannel(LaneContext lane, ChannelKey key)
{
    public LaneContext Lane => lane;

    public ChannelKey Key => key;

    /// <summary>Sends the request of the exchange now or as soon as the peer's limits allow it.</summary>
    public abstract void Submit(ClientExchange exchange);

    /// <summary>Nothing comes back for this message any more: its ID may rest.</summary>
    public abstract void Settle(MessageId messageId);

    /// <summary>The exchange has ended: whatever waits for it or because of it goes on.</summary>
    public abstract void Release(ClientExchange exchange);
}
