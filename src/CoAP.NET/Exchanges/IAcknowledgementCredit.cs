namespace CoAP.Exchanges;

/// <summary>What unverified addresses have earned by acknowledging messages. An acknowledgement that matches no message cancels it.</summary>
/// <remarks>An attacker has to guess the message IDs of messages that went to the address it forges. Its wrong guesses cancel what the right one earned.</remarks>
internal interface IAcknowledgementCredit
{
    /// <summary>Cancels what the peer has earned. Called on the lane.</summary>
    void Cancel(in ChannelKey key);
}
