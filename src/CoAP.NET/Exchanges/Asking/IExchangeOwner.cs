namespace CoAP.Exchanges;

/// <summary>Receives the outcome of an exchange on the lane, such as a user's call.</summary>
internal interface IExchangeOwner
{
    /// <summary>Whether the outcome is no longer needed, so that an unsent request can be dropped.</summary>
    bool IsDone { get; }

    /// <summary>The time at which the exchange ends, whatever it waits for.</summary>
    long EndsAt { get; }

    /// <summary>
    /// Whether the request is sent on behalf of somebody else: without an Echo value, and its response is not checked. Default:
    /// <see langword="false"/>.
    /// </summary>
    bool IsRaw => false;

    /// <summary>The token of all requests of the owner; <see langword="null"/> if each request gets its own.</summary>
    Token? Token => null;

    /// <summary>Called when the peer has accepted further bytes of a large request.</summary>
    void Accept(long bytes) { }

    /// <summary>Returns the error of an exchange that has reached <see cref="EndsAt"/>.</summary>
    CoapTimeoutException Expire(ClientExchange exchange);

    /// <summary>Called when the exchange has ended with a response.</summary>
    void OnResponse(ClientExchange exchange, CoapMessage response);

    /// <summary>Called when the exchange has ended and no response was wanted: the request was sent and, if it is confirmable, acknowledged.</summary>
    void OnForgotten(ClientExchange exchange) { }

    /// <summary>Called when the exchange has ended without a response.</summary>
    void OnFailure(ClientExchange exchange, Exception error);
}
