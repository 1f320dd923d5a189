namespace CoAP.Exchanges;

/// <summary>Where a received request came from, as far as handlers may reach back.</summary>
internal interface IRequestOrigin
{
    /// <summary>Whether the transport is reliable.</summary>
    bool IsReliable { get; }

    /// <summary>The channel to the peer.</summary>
    IChannel OpenChannel(ReceivedRequest request);

    /// <summary>Sends the empty acknowledgement now, if none was sent yet. Any thread.</summary>
    void Acknowledge(ReceivedRequest request);
}
