namespace CoAP.Exchanges;

/// <summary>Something that lives as long as its channel, without a request in progress all the time.</summary>
internal interface IChannelGuest
{
    /// <summary>The channel has ended. On the lane.</summary>
    void OnChannelEnded(Exception error);
}
