using System.Runtime.ExceptionServices;
using Polly;

namespace CoAP.Hosting;

/// <summary>Sends requests through a pipeline of Polly to a client.</summary>
/// <param name="client">The client.</param>
/// <param name="pipeline">The pipeline.</param>
internal sealed class ResilientSender(IRequestSender client, ResiliencePipeline<CoapResponse> pipeline) : IRequestSender
{
    public PayloadFormats Formats => client.Formats;

    public async ValueTask<CoapResponse> SendAsync(CoapRequest request, CancellationToken cancellationToken = default)
    {
        var context = ContextOf(request, cancellationToken);
        try
        {
            return await pipeline.ExecuteAsync(
                static (context, call) => call.AttemptAsync(context.CancellationToken), context, new Call(client, request)).ConfigureAwait(false);
        }
        finally { ResilienceContextPool.Shared.Return(context); }
    }

    public CoapResponse Send(CoapRequest request, CancellationToken cancellationToken = default)
    {
        var context = ContextOf(request, cancellationToken);
        try
        {
            return pipeline.Execute(static (context, call) => call.Attempt(context.CancellationToken), context, new Call(client, request));
        }
        finally { ResilienceContextPool.Shared.Return(context); }
    }

    public ValueTask<Delivery> SendAndForgetAsync(CoapRequest request, CancellationToken cancellationToken = default) =>
        client.SendAndForgetAsync(request, cancellationToken);

    public Delivery SendAndForget(CoapRequest request, CancellationToken cancellationToken = default) => client.SendAndForget(request, cancellationToken);

    private static ResilienceContext ContextOf(CoapRequest request, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        var context = ResilienceContextPool.Shared.Get(cancellationToken);
        context.Properties.Set(CoapResilience.Request, request);
        return context;
    }

    /// <summary>The attempts of one call. An attempt that cannot send the request again ends as the one before it.</summary>
    private sealed class Call(IRequestSender client, CoapRequest request)
    {
        private bool _isRetry;
        private CoapResponse? _response;
        private ExceptionDispatchInfo? _failure;

        public async ValueTask<CoapResponse> AttemptAsync(CancellationToken cancellationToken)
        {
            if (Next() is not { } next) { return Last(); }
            try { return _response = await client.SendAsync(next, cancellationToken).ConfigureAwait(false); }
            catch (Exception exception) when (Keep(exception)) { throw; }
        }

        public CoapResponse Attempt(CancellationToken cancellationToken)
        {
            if (Next() is not { } next) { return Last(); }
            try { return _response = client.Send(next, cancellationToken); }
            catch (Exception exception) when (Keep(exception)) { throw; }
        }

        private CoapRequest? Next()
        {
            var next = _isRetry ? request.TryRepeat() : request;
            if (next is not null) { (_response, _failure) = (null, null); }
            _isRetry = true;
            return next;
        }

        private CoapResponse Last()
        {
            _failure?.Throw();
            return _response!;
        }

        private bool Keep(Exception failure)
        {
            _failure = ExceptionDispatchInfo.Capture(failure);
            return true;
        }
    }
}
