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
                static async (context, call) =>
                {
                    try { return call.Keep(await call.Client.SendAsync(call.Next(), context.CancellationToken).ConfigureAwait(false)); }
                    catch (CoapException exception) when (call.Keep(exception)) { throw; }
                },
                context, new Call(client, request)).ConfigureAwait(false);
        }
        finally { ResilienceContextPool.Shared.Return(context); }
    }

    public CoapResponse Send(CoapRequest request, CancellationToken cancellationToken = default)
    {
        var context = ContextOf(request, cancellationToken);
        try
        {
            return pipeline.Execute(
                static (context, call) =>
                {
                    try { return call.Keep(call.Client.Send(call.Next(), context.CancellationToken)); }
                    catch (CoapException exception) when (call.Keep(exception)) { throw; }
                },
                context, new Call(client, request));
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

    /// <summary>The attempts of one call. An attempt that cannot send the body again ends as the one before it.</summary>
    private sealed class Call(IRequestSender client, CoapRequest request)
    {
        private bool _isRetry;
        private ExceptionDispatchInfo? _failure;

        public IRequestSender Client => client;

        public CoapRequest Next()
        {
            if (!_isRetry)
            {
                _isRetry = true;
                return request;
            }
            if (request.TryRepeat() is { } repeated) { return repeated; }
            _failure?.Throw();
            throw new CoapTransferException(
                "The request was not repeated, because the body cannot be read again, or the body of its response may have been written in part. "
                + "Use a payload or a seekable stream, or exclude the request from retries (CoapResilience.IsRepeatable).");
        }

        public CoapResponse Keep(CoapResponse response)
        {
            _failure = null;
            return response;
        }

        public bool Keep(Exception failure)
        {
            _failure = ExceptionDispatchInfo.Capture(failure);
            return true;
        }
    }
}
