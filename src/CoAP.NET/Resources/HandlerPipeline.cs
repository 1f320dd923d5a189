using CoAP.Accounting;
using CoAP.Exchanges;
using CoAP.Options;
using CoAP.Vocabulary;

namespace CoAP.Resources;

/// <summary>Routes requests and runs the user's steps and handlers. All lanes of an endpoint share it.</summary>
/// <remarks>
/// This is the edge to user code. Whatever steps and handlers throw or return, each request gets one response. An exception, or
/// <see langword="null"/> as the response, becomes 5.00 and one log line.
/// </remarks>
internal sealed class HandlerPipeline
{
    private readonly RequestDelegate _run;      // the steps around all requests, then the resource
    private readonly RequestDelegate _call;     // the steps of the resource, then the handler
    private readonly HandlerThreads<UnansweredRequest> _buffered;
    private readonly HandlerThreads<UnansweredRequest> _readers;
    private readonly Action<UnansweredRequest> _requeue;

    /// <param name="resources">The mapped resources; <see langword="null"/> for a client without resources, which answers 5.01.</param>
    /// <param name="steps">The user's steps, the outermost first.</param>
    /// <param name="settings">The settings of handlers.</param>
    /// <param name="ledger">The ledger of the endpoint.</param>
    /// <param name="stopping">Canceled when the endpoint stops.</param>
    /// <exception cref="InvalidOperationException">A step returned <see langword="null"/> instead of a delegate.</exception>
    public HandlerPipeline(
        ResourceMap? resources, IReadOnlyList<ServerStep> steps, HandlerSettings settings, Ledger ledger,
        CancellationToken stopping)
    {
        (Resources, Stopping, Settings) = (resources, stopping, settings);
        (HasSteps, DependsOnPeer) = (steps.Count > 0, steps.Any(static step => step.DependsOnPeer));
        (Log, MaxInlinePayload) = (settings.Log, settings.MaxInlinePayload);
        Rate = settings.Rate is { } rate ? new RateLimiter(rate) : null;
        (_run, _call) = (InContext(Chain(steps, RunResource)), InContext(Call));
        _buffered = ThreadsOf(ledger, ledger.HandlerThreads, settings.Time);
        _readers = ThreadsOf(ledger, ledger.BodyThreads, settings.Time);
        _requeue = exchange => ThreadsOf(exchange).Requeue(exchange, exchange.Account);
    }

    /// <summary>Limits the requests of accounts to all resources together; <see langword="null"/> if there is no limit.</summary>
    public RateLimiter? Rate { get; }

    /// <summary>The settings of handlers.</summary>
    public HandlerSettings Settings { get; }

    /// <summary>The log of the endpoint.</summary>
    public EndpointLog Log { get; }

    /// <summary>Canceled when the endpoint stops.</summary>
    public CancellationToken Stopping { get; }

    /// <summary>Whether there are steps around all requests, also those without a handler. Resources may have steps of their own.</summary>
    public bool HasSteps { get; }

    /// <summary>Whether a step around all requests may make responses depend on the peer.</summary>
    public bool DependsOnPeer { get; }

    /// <summary>The largest payload that an inline handler processes on the lane, in bytes.</summary>
    public int MaxInlinePayload { get; }

    /// <summary>Whether the endpoint has resources. Otherwise it answers all requests with 5.01.</summary>
    public bool HasResources => Resources is not null;

    /// <summary>The resources of the endpoint; <see langword="null"/> if it has none.</summary>
    public ResourceMap? Resources { get; }

    /// <summary>
    /// Routes a request, unless an earlier stage has. Returns its handler, or <see langword="null"/> if the response is an error without a call of a
    /// handler.
    /// </summary>
    public Handler? Route(IncomingRequest request)
    {
        if (request.Route is not Dispatch dispatch) { request.Route = dispatch = Dispatch.For(request.Message, Resources); }
        return dispatch.Handler;
    }

    /// <summary>Runs the steps and the handler. Exceptions of user code become responses.</summary>
    public ValueTask<CoapResponse> Run(IncomingRequest request) =>
        request.Telemetry is { } telemetry && CoapTracing.IsWanted ? RunTracedAsync(request, telemetry) : RunGuarded(request);

    /// <summary>Charges an account for a request that <see cref="Queue"/> then hands over.</summary>
    public Charge TryCharge(UnansweredRequest exchange) => _buffered.TryCharge(exchange.Account);

    /// <summary>Hands requests over to handler threads. None of them has a streamed body.</summary>
    /// <param name="requests">The requests. Their accounts have been charged.</param>
    /// <param name="refused">Gets the requests that were refused.</param>
    public void Queue(ReadOnlySpan<HandlerItem<UnansweredRequest>> requests, List<(UnansweredRequest Exchange, Charge Charge)> refused)
    {
        foreach (ref readonly var request in requests) { request.Item.Requeue = _requeue; }
        _buffered.Add(requests, refused);
    }

    /// <summary>Wakes threads for the requests behind a quick handler that blocks.</summary>
    /// <param name="isLast">Whether the lane of a request has ended, so that nobody looks again.</param>
    public void Spread(bool isLast) => _buffered.Spread(isLast);

    /// <summary>Queues a request for a handler thread.</summary>
    /// <remarks>Handlers that read a body while it arrives wait for its sender. They have separate threads, so they do not delay other handlers.</remarks>
    public Charge TryQueue(UnansweredRequest exchange)
    {
        exchange.Requeue = _requeue;
        return ThreadsOf(exchange).TryQueue(exchange, exchange.Account, exchange.Request.IsReliable);
    }

    /// <summary>Answers the request when the handler has finished.</summary>
    public async Task AnswerAsync(ValueTask<CoapResponse> pending, UnansweredRequest exchange)
    {
        CoapResponse response;
        try { response = await pending.ConfigureAwait(false); }
        catch (Exception exception) // The edge to user code: a trace listener has failed.
        {
            response = OfHandler(exception, exchange.Request);
        }
        Answer(exchange, response);
    }

    /// <summary>Answers a request.</summary>
    /// <remarks>
    /// On its lane, a large representation first goes to a handler thread that hashes it. A handler that completes later can also be on its
    /// lane. If there is no room, the stages work without the tag.
    /// </remarks>
    public void Answer(UnansweredRequest exchange, CoapResponse response)
    {
        if (exchange.Request.Lane.IsOwnedByCaller && RepresentationTags.MustPrepare(exchange.Request, exchange.Account, response))
        {
            exchange.Untagged = response;
            if (TryQueue(exchange) == Charge.Accepted) { return; }
        }
        exchange.Answer(response);
    }

    /// <summary>Accepts no further requests for handler threads.</summary>
    public void Complete()
    {
        _buffered.Complete();
        _readers.Complete();
    }

    private HandlerThreads<UnansweredRequest> ThreadsOf(UnansweredRequest exchange) => exchange.Request.Streamed is null ? _buffered : _readers;

    private HandlerThreads<UnansweredRequest> ThreadsOf(Ledger ledger, LedgerBook threads, TimeProvider time) =>
        new(RunBuffered, ledger.HandlerQueue, threads, ledger.UnsentBytes)
        {
            MaxUnverifiedDelay = ledger.MaxUnverifiedDelay,
            Time = time,
            Runtime = Settings.Runtime,
        };

    private static RequestDelegate Chain(IReadOnlyList<ServerStep> steps, RequestDelegate handler)
    {
        var next = handler;
        for (var i = steps.Count - 1; i >= 0; i--)
        {
            next = steps[i].Create(next) ?? throw new InvalidOperationException(
                $"Step {i + 1} of {steps.Count} returned null. A step that was added with Use must return a delegate.");
        }
        return next;
    }

    // Calls with a large payload or a streamed body do not count, because they never run on a lane. Without threads, one request may run
    // another.
    private void RunBuffered(UnansweredRequest exchange)
    {
        var outer = MeasuredCall.SettingsOfThread;
        MeasuredCall.SettingsOfThread = exchange.Request.Streamed is null && exchange.Request.Payload.Length <= MaxInlinePayload
            ? Settings : null;
        RunOnThread(exchange);
        MeasuredCall.SettingsOfThread = outer;
    }

    // A handler that awaits releases its thread to the next request. The request may have ended while it waited for this thread.
    private void RunOnThread(UnansweredRequest exchange)
    {
        if (exchange.TryContinue()) { return; }
        if (exchange.Untagged is { } untagged)
        {
            exchange.Answer(untagged);
            return;
        }
        if (!exchange.TryBegin()) { return; }
        if (exchange.Request.IsAbandoned)
        {
            exchange.Skip();
            return;
        }
        var pending = Run(exchange.Request);
        if (pending.IsCompletedSuccessfully) { exchange.Answer(pending.Result); }
        else { _ = AnswerAsync(pending, exchange); }
    }

    // The span is the current one of the handler. It ends on the lane, with the response.
    private async ValueTask<CoapResponse> RunTracedAsync(IncomingRequest request, RequestTelemetry telemetry)
    {
        telemetry.Start(request.Route?.Template);
        return await RunGuarded(request).ConfigureAwait(false);
    }

    private ValueTask<CoapResponse> RunGuarded(IncomingRequest request)
    {
        ValueTask<CoapResponse> pending;
        try { pending = _run(request, request.HandlerAborted); }
        catch (Exception exception) // The edge to user code: the exception ends this request alone.
        {
            return EndServices(OfHandler(exception, request), request);
        }
        return pending.IsCompletedSuccessfully ? EndServices(Finish(pending.Result, request), request) : GuardAsync(pending, request);
    }

    private async ValueTask<CoapResponse> GuardAsync(ValueTask<CoapResponse> pending, IncomingRequest request)
    {
        CoapResponse response;
        try { response = Finish(await pending.ConfigureAwait(false), request); }
        catch (Exception exception) // The edge to user code, as above.
        {
            response = OfHandler(exception, request);
        }
        return await EndServices(response, request).ConfigureAwait(false);
    }

    private ValueTask<CoapResponse> EndServices(CoapResponse response, IncomingRequest request)
    {
        if (request.TakeServices() is not { } services) { return new(response); }
        return response.Source is { } source ? new(response.With(source.Before(services))) : EndServicesAsync(response, services, request);
    }

    // A service may save the work of the handler when it is disposed of. If it fails, the response must not be a success.
    private async ValueTask<CoapResponse> EndServicesAsync(CoapResponse response, IAsyncDisposable services, IncomingRequest request)
    {
        try { await services.DisposeAsync().ConfigureAwait(false); }
        catch (Exception exception) // The edge to user code: the services are the user's.
        {
            return OfHandler(exception, request);
        }
        return response;
    }

    // Steps may call the next one outside of the context, so the call of the resource enters it again.
    private RequestDelegate InContext(RequestDelegate code) => Settings.Runtime.HasThreads
        ? code
        : (request, cancellationToken) => Settings.Runtime.Call(
            static call => call.code(call.request, call.cancellationToken), (code, request, cancellationToken));

    // Steps see the response with its payload, so its format is selected here.
    private ValueTask<CoapResponse> RunResource(IncomingRequest request, CancellationToken cancellationToken)
    {
        var pending = _call(request, cancellationToken);
        return HasSteps ? HandlerCall.WithPayload(pending, request) : pending;
    }

    private static ValueTask<CoapResponse> Call(IncomingRequest request, CancellationToken cancellationToken) => request.Resource is { HasSteps: true } resource
        ? resource.Run(0, request, cancellationToken)
        : HandlerCall.Run(request, cancellationToken);

    // The last step or, without steps, the handler has returned this response.
    private CoapResponse Finish(CoapResponse? response, IncomingRequest request)
    {
        if (response is null) { return NoResponse(request); }
        if (response.Representation is null) { return response; }
        try { return request.WithPayload(response); }
        catch (Exception exception) // The edge to user code: the format is the user's, or it does not handle the value.
        {
            return OfHandler(exception, request);
        }
    }

    private CoapResponse OfHandler(Exception exception, IncomingRequest request) =>
        ToResponse(exception, request, static (log, exception, request) => log.HandlerFailed(exception, request));

    private CoapResponse NoResponse(IncomingRequest request)
    {
        Log.HandlerReturnedNull(request);
        return Response.Failed;
    }

    /// <summary>Returns the response to a request whose handler, step or authorizer has thrown an exception.</summary>
    /// <param name="exception">The exception.</param>
    /// <param name="request">The request.</param>
    /// <param name="write">Logs an exception that is not a response.</param>
    public CoapResponse ToResponse(Exception exception, IncomingRequest request, Action<EndpointLog, Exception, IncomingRequest> write)
    {
        if (exception is OperationCanceledException && request.HandlerAborted.IsCancellationRequested) { return Response.Unavailable(TimeSpan.FromSeconds(1)); }
        if (request.Streamed?.Failure is { } failure && IsCausedBy(exception, failure))
        {
            return Response.Error(ResponseCode.RequestEntityIncomplete, failure.Message);
        }
        try
        {
            if (exception is CoapResponseException error) { return ToResponse(error); }
            if (exception is CoapPayloadException { IsOfResponse: false } bad) { return Response.Problem(ResponseCode.BadRequest, "Malformed payload", bad.Message); }
        }
        catch (Exception invalid) // The user's exception does not make a valid response: it counts as any other.
        {
            exception = invalid;
        }
        request.Telemetry?.Fail(exception);
        write(Log, exception, request);
        return Response.Failed;
    }

    // The client has abandoned the body, which is no defect of the handler that read it (RFC 7959, section 2.9.2).
    private static bool IsCausedBy(Exception? exception, CoapTransferException failure)
    {
        while (exception is not null && exception != failure) { exception = exception.InnerException; }
        return exception is not null;
    }

    // An error that another server has sent keeps its code, and its Content-Format describes the payload.
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
