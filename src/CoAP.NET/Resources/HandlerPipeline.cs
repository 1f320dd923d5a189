using CoAP.Exchanges;
using CoAP.Options;
using CoAP.Vocabulary;
using Microsoft.Extensions.Logging;

namespace CoAP.Resources;

/// <summary>Routing, the user's steps around all requests, and the handlers; shared by all lanes of an endpoint.</summary>
/// <remarks>Its buffered stage is the edge in front of user code: a bounded queue, and threads that user code may block.</remarks>
internal sealed class HandlerPipeline
{
    private static readonly CoapResponse NoResources = new(ResponseCode.NotImplemented);

    private readonly ResourceMap? _resources;
    private readonly RequestDelegate _run;
    private readonly ILogger _logger;
    private readonly CancellationToken _stopping;
    private readonly HandlerThreads<ServerExchange> _buffered;

    /// <param name="resources">What is mapped; none for a client without resources, which answers 5.01.</param>
    /// <param name="steps">The user's steps, the outermost first.</param>
    /// <param name="settings">The limits of the buffered stage.</param>
    /// <param name="stopping">Fires when the endpoint ends.</param>
    public HandlerPipeline(
        ResourceMap? resources, IReadOnlyList<Func<RequestDelegate, RequestDelegate>> steps, HandlerSettings settings, CancellationToken stopping)
    {
        _resources = resources;
        HasSteps = steps.Count > 0;

        _stopping = stopping;
        (_logger, BufferedSize) = (settings.Logger, settings.BufferedSize);
        _run = steps.Reverse().Aggregate((RequestDelegate)RunHandler, (next, step) => step(next));
        _buffered = new HandlerThreads<ServerExchange>(RunBuffered, settings.Threads, settings.MaxQueue);
    }

    /// <summary>Whether steps of the user's see all requests, those without a handler too.</summary>
    public bool HasSteps { get; }

    /// <summary>Whether there is anything to be answered but errors.</summary>
    /// <summary>The size of a payload, in bytes, from which on its handler is buffered.</summary>
    public int BufferedSize { get; }

    public bool HasResources => _resources is not null;

    /// <summary>The resources of the endpoint; <see langword="null"/> if it has none.</summary>
    public ResourceMap? Resources => _resources;


    /// <summary>Finds the handler and notes it on the request; none where the answer is an error that needs no user code.</summary>
    public Handler? Route(IncomingRequest request)
    {
        if (_resources is null) { return null; }
        var dispatch = Dispatch.For(request.Message, _resources);
        request.Route = dispatch;
        return dispatch.Handler;
    }

    /// <summary>Runs steps and handler. The task never fails: whatever is thrown becomes a response.</summary>
    public ValueTask<CoapResponse> Run(IncomingRequest request)
    {
        if (CoapTracing.IsWanted) { return RunTracedAsync(request); }
        return RunGuarded(request);
    }

    /// <summary>Hands a request to the buffered stage, or answers <see langword="false"/> where its queue is full.</summary>
    public bool TryQueue(ServerExchange exchange) => _buffered.TryQueue(exchange);

    public void Complete() => _buffered.Complete();

    private async ValueTask<CoapResponse> RunTracedAsync(IncomingRequest request)
    {
        var activity = CoapTracing.StartServer(request.Method, request.Path, request.Peer);
        var response = await RunGuarded(request).ConfigureAwait(false);
        CoapTracing.End(activity, response.Code);
        return response;
    }

    private ValueTask<CoapResponse> RunGuarded(IncomingRequest request)
    {
        ValueTask<CoapResponse> pending;
        try { pending = _run(request, _stopping); }
        catch (Exception exception) // The edge to user code: what it throws becomes the response of this request alone.
        {
            return new(ToResponse(exception, request));
        }
        return pending.IsCompletedSuccessfully ? new(pending.Result ?? NoResponse(request)) : GuardAsync(pending, request);
    }

    private static ValueTask<CoapResponse> RunHandler(IncomingRequest request, CancellationToken cancellationToken) =>
        request.Dispatch.Handler is { } handler
            ? handler.Invoke(request, cancellationToken)
            : new(request.Dispatch.Refusal ?? NoResources);

    // A handler that awaits gives its place to the next one: otherwise a few that wait for long would keep all others waiting.
    private void RunBuffered(ServerExchange exchange)
    {
        try
        {
            var pending = Run(exchange.Request);
            if (pending.IsCompletedSuccessfully) { exchange.Answer(pending.Result); }
            else { _ = FinishAsync(pending, exchange); }
        }
        catch (Exception) // A logger of the user's that fails must not end the process with the thread.
        {
            exchange.Answer(new CoapResponse(ResponseCode.InternalServerError));
        }
    }

    /// <summary>Answers when the handler has answered, whatever happens.</summary>
    public static async Task FinishAsync(ValueTask<CoapResponse> pending, ServerExchange exchange)
    {
        try { exchange.Answer(await pending.ConfigureAwait(false)); }
        catch (Exception) // A logger or a listener of the user's that fails must not leave the request without an end.
        {
            exchange.Answer(new CoapResponse(ResponseCode.InternalServerError));
        }
    }

    private async ValueTask<CoapResponse> GuardAsync(ValueTask<CoapResponse> pending, IncomingRequest request)
    {
        try { return await pending.ConfigureAwait(false) ?? NoResponse(request); }
        catch (Exception exception) // The edge to user code, as above.
        {
            return ToResponse(exception, request);
        }
    }

    private CoapResponse NoResponse(IncomingRequest request)
    {
        Log.HandlerReturnedNull(_logger, request.Path, request.Message.Token, request.Peer);
        return new CoapResponse(ResponseCode.InternalServerError);
    }

    private CoapResponse ToResponse(Exception exception, IncomingRequest request)
    {
        if (exception is CoapResponseException error) { return ToResponse(error); }
        if (exception is OperationCanceledException && _stopping.IsCancellationRequested) { return new CoapResponse(ResponseCode.ServiceUnavailable); }
        Log.HandlerFailed(_logger, exception, request.Path, request.Message.Token, request.Peer);
        return new CoapResponse(ResponseCode.InternalServerError);
    }

    // An error that was received has the Content-Format of its payload already, and the code that another server gave.
    private static CoapResponse ToResponse(CoapResponseException error)
    {
        if (error.Problem is not { } problem) { return Response.Error(error.Code, error.Diagnostic, [.. error.Options]); }
        return new CoapResponse(error.Code)
        {
            Options = error.Options.Without(ContentFormat.Declaration.Number).With(new ContentFormat(ContentFormats.ConciseProblemDetails)),
            Payload = problem.ToBytes(),
        };
    }
}
