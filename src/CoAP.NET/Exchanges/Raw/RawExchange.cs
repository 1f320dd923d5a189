namespace CoAP;

/// <summary>A request on behalf of somebody else, such as the client of a proxy. Its responses come back unchanged.</summary>
/// <remarks>
/// The request is sent as it is. This endpoint neither adds an Echo value, nor transfers blocks, nor orders notifications, nor checks the
/// options of responses: that is up to the one for whom it asks. The message layer is that of all requests: NSTART, message IDs,
/// retransmission and deadlines (RFC 7252, section 4). Notifications come in the order in which they arrive.
/// <see cref="LaneExtensions.Ask"/> sends a request from a stage, and <see cref="RawExtensions.AskRawAsync"/> from anywhere else.
/// </remarks>
public abstract class RawExchange
{
    private Action? _cancel;

    /// <param name="request">The request. With Observe 0, it asks for all responses until <see cref="Cancel"/> (RFC 7641).</param>
    protected RawExchange(CoapRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (request.Body is not null || request.ResponseBody is not null)
        {
            throw new ArgumentException("A raw request is one message, so it has neither Body nor ResponseBody. Use payloads.", nameof(request));
        }
        Request = request;
    }

    /// <summary>The request.</summary>
    public CoapRequest Request { get; }

    /// <summary>Ends the wait for responses, and deregisters an observation (RFC 7641, section 3.6). Call this method on the lane.</summary>
    public void Cancel() => _cancel?.Invoke();

    /// <summary>Takes a response. Called on the lane.</summary>
    /// <param name="response">The response with all its options, known or not.</param>
    /// <param name="isLast">Whether no further response comes: the request has no Observe option, or the observation has ended.</param>
    protected internal abstract void OnResponse(CoapMessage response, bool isLast);

    /// <summary>Called on the lane if no response comes, or no further one.</summary>
    /// <param name="error">A <see cref="CoapException"/>, or an <see cref="ArgumentException"/> if the request cannot be sent.</param>
    protected internal abstract void OnFailure(Exception error);

    /// <summary>Called on the lane when a request that wants no response has been sent or acknowledged (RFC 7967).</summary>
    protected internal virtual void OnForgotten() { }

    /// <summary>Connects the exchange with what sends its request.</summary>
    /// <param name="cancel">See <see cref="Cancel"/>.</param>
    /// <exception cref="InvalidOperationException">The request has been sent before.</exception>
    internal void Begin(Action cancel)
    {
        if (Interlocked.CompareExchange(ref _cancel, cancel, null) is null) { return; }
        throw new InvalidOperationException($"{Request.Describe()} has been sent. Create a raw exchange for each request.");
    }
}
