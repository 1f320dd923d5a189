using System.Diagnostics.CodeAnalysis;
using CoAP.Accounting;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Vocabulary;

namespace CoAP.Resources;

/// <summary>Calls handlers: inline on the lane, or on a handler thread if the handler is buffered, the payload
/// is large, or a synchronous handler reads a streamed body.</summary>
internal sealed class HandlerStage(ExchangeLane lane, HandlerPipeline pipeline, RequestFailures failures) : InlineStage<IncomingRequest, Answer>
{
    private static readonly TimeSpan LongAfter = TimeSpan.FromSeconds(1);          // long enough that the other peers retransmit

    private readonly HandOver _handOver = new(lane, pipeline);
    private readonly RecentLosses _losses = new(pipeline.Settings);
    private bool _stepsWait;    // whether the steps have not answered a request without a handler at once before

    /// <summary>The source of answers that were not ready when the handler returned to the lane.</summary>
    public Output<Answer> Late => field ??= Port<Answer>();

    protected override void Process(in IncomingRequest item)
    {
        var handler = pipeline.Route(item);
        if (item.Taker is null && IsTooFrequent(item, out var tooMany))
        {
            lane.Metrics[LaneCounters.TooFrequent]++;
            Out.Emit(new Answer(item, tooMany, isAcknowledged: false));
            return;
        }
        var isLarge = item.Payload.Length > pipeline.MaxInlinePayload;
        // A handler that reads a body on the thread of its connection would wait forever: that thread receives the blocks.
        var mayBlock = item.MayBlock && item.Streamed is null;
        var isBuffered = handler is not null && (isLarge || handler.IsBuffered || IsWaiting(handler, item)) && !mayBlock;
        if ((isBuffered || (handler?.MayWait ?? _stepsWait)) && lane.TryRefuse(item, out var refusal))
        {
            Out.Emit(new Answer(item, refusal, isAcknowledged: false));
            return;
        }
        (item.IsHandled, item.MayHaveActed) = (handler is not null, item.MayHaveActed || pipeline.HasSteps || item.Resource is { HasSteps: true });
        // Without threads, there is none that requests could share.
        if (isBuffered) { RunBuffered(item, isQuick: !isLarge && handler!.IsQuick && lane.Runtime.HasThreads); }
        else { RunInline(item, handler); }
    }

    // A synchronous handler that reads a body waits for blocks, which its lane receives, and one that changes a path for its turn.
    private static bool IsWaiting(Handler handler, IncomingRequest request) =>
        handler.Mode == HandlerMode.Learned
            && (request.Streamed is not null || request.Resource?.Conditions?.TakesTurns(request.Method) == true);

    // Requests that the endpoint makes to itself for observers do not count.
    private bool IsTooFrequent(IncomingRequest request, [NotNullWhen(true)] out CoapResponse? refusal)
    {
        refusal = null;
        return (pipeline.Rate is { } all && !all.TryCount(lane, request, out refusal))
            || (request.Resource?.Rate is { } rate && !rate.TryCount(lane, request, out refusal));
    }

    private void RunInline(IncomingRequest request, Handler? handler)
    {
        var call = handler is null ? default : new MeasuredCall(pipeline.Settings, _losses);
        var pending = pipeline.Run(request);
        if (handler is not null) { Judge(handler, call, request.MayBlock); }
        if (pending.IsCompletedSuccessfully) { Answer(request, pending.Result); }
        else
        {
            if (handler is null) { _stepsWait = true; }
            else { handler.Waits(); }
            _ = pipeline.AnswerAsync(pending, new UnansweredRequest(lane, request, Late, failures) { IsOfHandler = true });
        }
    }

    private void Answer(IncomingRequest request, CoapResponse response)
    {
        if (response.Payload.Length > RepresentationTags.MostOnLane && RepresentationTags.MustPrepare(request, request.Account, response))
        {
            if (!request.MayBlock)
            {
                pipeline.Answer(new UnansweredRequest(lane, request, Late, failures) { IsOfHandler = true }, response);
                return;
            }
            response.ComputeTag();
        }
        request.RecordAnswer(response);
        try { Out.Emit(new Answer(request, response, isAcknowledged: false)); }
        catch
        {
            response.CloseSource();
            throw;
        }
    }

    private void RunBuffered(IncomingRequest request, bool isQuick)
    {
        var exchange = new UnansweredRequest(lane, request, Late, failures) { IsOfHandler = true };
        exchange.LimitWait();
        var outcome = request.Streamed is null ? _handOver.TryAdd(exchange, isQuick) : pipeline.TryQueue(exchange);
        if (outcome != Charge.Accepted) { _handOver.Refuse(exchange, outcome); }
    }

    /// <summary>Moves a handler to the handler threads if it is too slow for a lane, unless its thread may block.</summary>
    private void Judge(Handler handler, in MeasuredCall call, bool mayBlock)
    {
        if (mayBlock) { return; }
        var took = call.Took(handler.Limit);
        if (took > LongAfter && lane.Log.TryPass(LogEvent.LaneHeld, handler.Template, out var held))
        {
            Log.LaneHeld(lane.Logger, handler.Template, took.TotalSeconds, held);
        }
        if (handler.IsTooSlowAfter(took, pipeline.Settings.Time) && handler.MoveToBuffered())
        {
            Log.HandlerTooSlow(lane.Logger, handler.Template, took.TotalMilliseconds);
        }
    }
}
