namespace CoAP.Exchanges;

/// <summary>Wants the answer to a request that the endpoint has put to itself. Nothing of it goes to the peer as a response.</summary>
internal interface IAnswerTaker
{
    /// <summary>The handler has answered. On the lane.</summary>
    void Take(CoapResponse response);
}
