namespace CoAP.Exchanges;

/// <summary>What a feature keeps about a peer, on the peer's channel.</summary>
internal interface IChannelFeature
{
    /// <summary>Whether something is under way, so that the channel has to stay.</summary>
    bool IsBusy { get; }

    /// <summary>Called for each message of the peer.</summary>
    void Heard();
}
