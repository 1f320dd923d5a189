using CoAP.Lanes;
using CoAP.Resources;
using CoAP.Streams;

namespace CoAP.Exchanges;

/// <summary>What a user's block at an arrow has dropped is no longer in progress, and nothing is answered.</summary>
internal static class Dropped
{
    private const string Reason = "A filter has dropped it.";

    /// <summary>A request that no handler has seen: as if it had been lost on its way, so that the same message is a new one.</summary>
    public static void Settle(LaneContext lane, ReceivedRequest request)
    {
        if (request.Upload is { } upload) { upload.End(Reason); }
        else if (request.Stream is { } stream) { Finish(request, stream); }
        else { lane.Deduplication?.Forget(request.Ticket); }
    }

    /// <summary>The answer of a handler, which must not run again for a duplicate.</summary>
    public static void Settle(LaneContext lane, in Answer answer)
    {
        var request = answer.Request;
        answer.Response.Source?.Stream.Dispose();
        if (request.Taker is { } taker) { taker.Take(RequestHandler.Overloaded); }      // which asks again later
        else if (request.Upload is { } upload) { upload.End(Reason); }
        else if (request.Stream is { } stream) { Finish(request, stream); }
        else { lane.Deduplication?.Retain(request.Ticket, ResponseHandler.ClassOf(request.Method), default, lane.Now); }
    }

    /// <summary>A message that may be the answer to another one.</summary>
    public static void Settle(LaneContext lane, in OutgoingMessage message)
    {
        if (message.Retention is { } retention) { lane.Deduplication?.Retain(message.Ticket, retention, default, lane.Now); }
    }

    private static void Finish(ReceivedRequest request, StreamChannel stream)
    {
        if (!stream.IsClosed) { stream.RequestFinished(request.Generation); }
    }
}
