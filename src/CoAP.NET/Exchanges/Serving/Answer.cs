using CoAP.Exchanges;

namespace CoAP;

/// <summary>A response on its way back to the request it answers.</summary>
public readonly struct Answer
{
    internal Answer(IncomingRequest request, CoapResponse response, bool isAcknowledged) =>
        (Request, Response, IsAcknowledged) = (request, response, isAcknowledged);

    /// <summary>The request.</summary>
    public IncomingRequest Request { get; }

    /// <summary>The response.</summary>
    public CoapResponse Response { get; internal init; }

    /// <summary>Whether the empty acknowledgement was sent, so that the response goes in a message of its own (RFC 7252, section 5.2.2).</summary>
    public bool IsAcknowledged { get; }

    /// <summary>Who sends the composed response instead of the response handler, which then only hands it over.</summary>
    internal IAnswerSender? Sender { get; init; }

    /// <summary>What the answer has brought about, as long as it stays a success.</summary>
    internal IRegistration? Registration { get; init; }

    /// <summary>Whether it may not be sent again, because the address is not verified (RFC 9175, section 2.4, item 3).</summary>
    internal bool IsSentOnce { get; init; }
}
