namespace CoAP.Lanes;

/// <summary>A connection that sends frames.</summary>
internal interface IFrameLink
{
    /// <summary>The largest message that the peer accepts, in bytes.</summary>
    int MaxSendSize { get; }

    /// <summary>The credentials of the peer; <see langword="null"/> on a plain transport.</summary>
    PeerCredentials? Credentials { get; }

    /// <summary>Sends a frame over the connection.</summary>
    void Transmit(in Frame frame);

    /// <summary>Handles a signaling message of the peer.</summary>
    void OnSignal(CoapMessage signal);

    /// <summary>Ends the connection because the peer's bytes break the format.</summary>
    void AbortMalformed(FormatError error);
}
