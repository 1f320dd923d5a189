using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Vocabulary;

namespace CoAP.Resources;

/// <summary>Calls the user's code: inline on the lane while it answers at once, elsewhere where it blocks, is slow or the message is large.</summary>
internal sealed class RequestHandler(ExchangeLane lane, HandlerPipeline pipeline) : InlineStage<IncomingRequest, Answer>
{
    private static readonly TimeSpan SlowAfter = TimeSpan.FromMilliseconds(2);     // so long on the lane holds up everybody else on it
    private static readonly TimeSpan LongAfter = TimeSpan.FromSeconds(1);          // so long that everybody else has noticed it

    private readonly TimeProvider _time = lane.Time;

    /// <summary>The answers of handlers that took their time.</summary>
    public Output<Answer> Late { get; } = new();

    protected override void OnCompleted()
    {
        base.OnCompleted();
        Late.Complete();
    }

    protected override void Process(in IncomingRequest item)
    {
        var handler = pipeline.Route(item);
        var isLarge = item.Payload.Length > pipeline.BufferedSize;
        // The thread of a connection brings the blocks: a handler that waits for them there would wait for ever.
        var mayBlock = item.MayBlock && item.Streamed is null;
        var isBuffered = handler is not null && (isLarge || handler.Mode == HandlerMode.Buffered) && !mayBlock;
        if (isBuffered) { RunBuffered(item); }
        else { RunInline(item, handler); }
    }

    private void RunInline(IncomingRequest request, Handler? handler)
    {
        var started = _time.GetTimestamp();
        var pending = pipeline.Run(request);
        if (handler is not null) { Judge(handler, _time.GetElapsedTime(started), request.MayBlock); }
        if (pending.IsCompletedSuccessfully) { Answer(request, pending.Result, started); }
        else { _ = HandlerPipeline.FinishAsync(pending, new ServerExchange(lane, request, Late)); }
    }

    private void Answer(IncomingRequest request, CoapResponse response, long started)
    {
        if (CoapMetrics.IsServerDurationWanted) { CoapMetrics.RecordAnswer(request.Method, response.Code, _time.GetElapsedTime(started)); }
        Out.Emit(new Answer(request, response, isAcknowledged: false));
    }

    private void RunBuffered(IncomingRequest request)
    {
        var exchange = new ServerExchange(lane, request, Late);
        if (!pipeline.TryQueue(exchange)) { exchange.Answer(Response.Overloaded); }
    }

    private void Judge(Handler handler, TimeSpan took, bool mayBlock)
    {
        var isTooSlow = handler.NoteInlineCall(took > SlowAfter);
        if (mayBlock) { return; }
        if (took > LongAfter) { Log.LaneHeld(lane.Logger, handler.Template, took.TotalSeconds); }
        if (!isTooSlow || handler.Mode == HandlerMode.Buffered) { return; }
        handler.MoveToBuffered();
        Log.HandlerTooSlow(lane.Logger, handler.Template, took.TotalMilliseconds);
    }
}
