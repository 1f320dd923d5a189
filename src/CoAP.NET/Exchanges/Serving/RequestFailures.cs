using CoAP.Vocabulary;

namespace CoAP.Exchanges;

/// <summary>Ends requests that made a stage fail: writes one log line, answers with 5.00 and releases the request.</summary>
internal sealed class RequestFailures(ExchangeLane lane)
{
    /// <summary>The log of the lane.</summary>
    public EndpointLog Log => lane.Log;

    /// <summary>The source of the answers.</summary>
    public Output<Answer> Out { get; } = new();

    public void Fail(IncomingRequest request, Exception exception)
    {
        lane.Log.RequestFailed(exception, request);
        if (request.End is not null) { return; }
        try
        {
            if (!request.TryHandOver(Response.Failed)) { Out.Emit(new Answer(request, Response.Failed)); }
        }
        catch (Exception again) // The answer fails too, so the request is only released.
        {
            Release(request, again);
        }
    }

    /// <summary>Answers a request that does not reach the next stage.</summary>
    public void Refuse(IncomingRequest request, CoapResponse refusal)
    {
        if (!request.TryHandOver(refusal)) { Out.Emit(new Answer(request, refusal, isAcknowledged: false)); }
    }

    /// <summary>Writes one log line and releases the request without an answer.</summary>
    public void Release(IncomingRequest request, Exception exception)
    {
        lane.Log.RequestFailed(exception, request);
        request.Drop(wasHandled: true);
    }
}
