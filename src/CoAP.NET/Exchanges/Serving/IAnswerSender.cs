namespace CoAP.Exchanges;

/// <summary>Sends an answer in a message of its own making, instead of as the response to the request in hand.</summary>
internal interface IAnswerSender
{
    /// <summary>Sends the response as it has come through the handlers. On the lane.</summary>
    void Send(CoapResponse response);
}
