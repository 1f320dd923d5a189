namespace CoAP.Resources;

/// <summary>The innermost part of the handling of a request: the handler with the conditions of its resource, or the error response of the routing.</summary>
internal static class HandlerCall
{
    /// <summary>Calls the handler of a request that was routed.</summary>
    public static ValueTask<CoapResponse> Run(IncomingRequest request, CancellationToken cancellationToken)
    {
        if (request.Dispatch is not { Handler: { } handler } dispatch) { return new(request.Dispatch.Refusal!); }
        return dispatch.Resource!.Conditions is { } conditions
            ? conditions.RunAsync(handler, request, cancellationToken)
            : handler.Invoke(request, cancellationToken);
    }

    /// <summary>Writes the value of a response, so that a step sees the payload.</summary>
    public static ValueTask<CoapResponse> WithPayload(ValueTask<CoapResponse> pending, IncomingRequest request) =>
        pending.IsCompletedSuccessfully ? new(WithPayload(pending.Result, request)) : WithPayloadAsync(pending, request);

    private static async ValueTask<CoapResponse> WithPayloadAsync(ValueTask<CoapResponse> pending, IncomingRequest request) =>
        WithPayload(await pending.ConfigureAwait(false), request);

    // A handler may have returned null, which a step or the pipeline replaces.
    private static CoapResponse WithPayload(CoapResponse? response, IncomingRequest request) => response is null ? null! : request.WithPayload(response);
}
