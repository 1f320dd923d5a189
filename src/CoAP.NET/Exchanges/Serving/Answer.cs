using CoAP.Exchanges;

namespace CoAP;

/// <summary>A response together with the request that it answers.</summary>
public readonly struct Answer
{
    /// <summary>Creates the answer of a stage that answers a request itself instead of passing it on.</summary>
    /// <param name="request">The request. Only its first answer counts.</param>
    /// <param name="response">The response.</param>
    /// <remarks>
    /// Emit it on the lane of the request, through a source that <see cref="LaneBuilder.AddSource"/> has added at
    /// <see cref="MeshArrow.SizedAnswers"/>. Emit a response that may be too large for a message at <see cref="MeshArrow.Answers"/>.
    /// </remarks>
    public Answer(IncomingRequest request, CoapResponse response)
    {
        ArgumentNullException.ThrowIfNull(request);
        ArgumentNullException.ThrowIfNull(response);
        request.MayHaveActed = true;
        (Request, Response, IsAcknowledged) = (request, WithPayload(request, response), request.IsAcknowledged);
    }

    internal Answer(IncomingRequest request, CoapResponse response, bool isAcknowledged) =>
        (Request, Response, IsAcknowledged) = (request, WithPayload(request, response), isAcknowledged || request.IsAcknowledged);

    /// <summary>The request.</summary>
    public IncomingRequest Request { get; }

    /// <summary>The response.</summary>
    public CoapResponse Response { get; internal init; }

    /// <summary>Whether the empty acknowledgement has been sent, so that the response is sent in a separate message (RFC 7252, section 5.2.2).</summary>
    public bool IsAcknowledged { get; }

    /// <summary>Sends the response in a separate message; <see langword="null"/> if the response is sent as the reply to the request.</summary>
    internal IRegistration? Sender { get; init; }

    /// <summary>The registration that the answer confirms. It is revoked if the answer becomes an error.</summary>
    internal IRegistration? Registration { get; init; }

    /// <summary>How often a separate answer may be sent to an unverified address (RFC 9175, section 2.4, item 3); 0 if there is no limit.</summary>
    internal int MaxTransmissions { get; init; }

    /// <summary>Returns the answer with another response. If the previous response reads its payload from a stream, the stream is closed.</summary>
    /// <param name="response">The response.</param>
    public Answer With(CoapResponse response)
    {
        ArgumentNullException.ThrowIfNull(response);
        if (Response?.Source != response.Source) { Response?.CloseSource(); }
        return this with { Response = WithPayload(Request, response) };
    }

    // The value of a handler has become a payload already. Stages and authorizers answer with values, too.
    private static CoapResponse WithPayload(IncomingRequest request, CoapResponse response)
    {
        if (response?.Representation is null) { return response!; }
        try { return request.WithPayload(response); }
        catch (Exception) // The edge to user code: a format has failed, or there is none. The client must get an answer.
        {
            return CoAP.Response.Failed;
        }
    }
}
