namespace CoAP.Exchanges;

/// <summary>The bytes that unverified addresses may receive because they have acknowledged messages.</summary>
/// <remarks>An attacker must guess the IDs of the messages to the forged address. A wrong guess matches no message and cancels the credit.</remarks>
internal interface IAcknowledgementCredit
{
    /// <summary>Cancels the credit of a peer. Called on the lane.</summary>
    void Cancel(in ChannelKey key);
}
