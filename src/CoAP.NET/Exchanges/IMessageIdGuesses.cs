namespace CoAP.Exchanges;

/// <summary>The acknowledgements and Resets that match no message of this endpoint.</summary>
/// <remarks>
/// An attacker who sends them from a forged address must guess the IDs of the messages to that address. Most guesses are wrong. Called on the lane.
/// </remarks>
internal interface IMessageIdGuesses
{
    /// <summary>Called when an acknowledgement of a peer matched no message.</summary>
    void OnWrongAcknowledgement(in ChannelKey key);

    /// <summary>Called when a Reset of a peer matched no message.</summary>
    void OnWrongReset(in ChannelKey key);
}
