namespace CoAP.Exchanges;

/// <summary>Receives the answer to a request that the endpoint made to itself. The answer is not sent to a peer as a response.</summary>
internal interface IAnswerTaker
{
    /// <summary>The account that is charged for the request.</summary>
    Account Account { get; }

    /// <summary>Called on the lane with the answer of the handler.</summary>
    /// <param name="response">The answer.</param>
    /// <param name="isPutOff">Whether the handler was not called, because there is no room. Make the request again later.</param>
    void Take(CoapResponse response, bool isPutOff);
}
