namespace CoAP.Exchanges;

/// <summary>Sends an answer in a separate message, such as a notification, instead of as the reply to a request.</summary>
internal interface IAnswerSender
{
    /// <summary>Sends the response that the handlers produced. Called on the lane.</summary>
    void Send(CoapResponse response);
}
