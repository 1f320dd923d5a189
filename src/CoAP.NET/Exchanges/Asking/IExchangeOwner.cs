namespace CoAP.Exchanges;

/// <summary>Who an exchange reports to, on the lane: the call of a user, or whatever else sends requests.</summary>
internal interface IExchangeOwner
{
    /// <summary>Whether nobody waits any more, so that a request that is held back by a limit need not be sent.</summary>
    bool IsDone { get; }

    /// <summary>The response is there; the exchange has ended.</summary>
    void OnResponse(ClientExchange exchange, CoapMessage response);

    /// <summary>The request is sent, and acknowledged where it is confirmable; no response was wanted, and the exchange has ended.</summary>
    void OnForgotten(ClientExchange exchange)
    {
    }

    /// <summary>There will be no response; the exchange has ended.</summary>
    void OnFailure(ClientExchange exchange, Exception error);
}
