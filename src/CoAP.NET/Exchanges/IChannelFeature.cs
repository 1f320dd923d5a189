namespace CoAP.Exchanges;

/// <summary>The state that a feature keeps about a peer on the peer's channel.</summary>
internal interface IChannelFeature
{
    /// <summary>Whether the feature is active, so that the channel must be kept.</summary>
    bool IsBusy { get; }

    /// <summary>Called for each message from the peer.</summary>
    void Heard();
}
