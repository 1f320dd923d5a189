namespace CoAP.Exchanges;

/// <summary>Keeps a channel open even while no request is in progress, such as an observation.</summary>
internal interface IChannelUser
{
    /// <summary>Called on the lane when the channel has ended.</summary>
    void OnChannelEnded(Exception error);
}
