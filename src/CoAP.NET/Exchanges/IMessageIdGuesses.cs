namespace CoAP.Exchanges;

/// <summary>The acknowledgements and Resets that match no message of this endpoint.</summary>
/// <remarks>
/// An attacker with a forged address has to guess message IDs, and most guesses are wrong. The methods are called on the lane.
/// </remarks>
internal interface IMessageIdGuesses
{
    /// <summary>Called when an acknowledgement of a peer matched no message.</summary>
    void OnWrongAcknowledgement(in ChannelKey key, MessageId messageId);

    /// <summary>Called when a Reset of a peer matched no message.</summary>
    void OnWrongReset(in ChannelKey key, MessageId messageId);
}
