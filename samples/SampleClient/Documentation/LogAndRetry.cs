using CoAP;

namespace SampleClient;

/// <summary>Logs requests and answers, and sends a request again that timed out.</summary>
internal sealed class LogAndRetry(TextWriter log) : IRequestStep
{
    public async ValueTask<Answers> AskAsync(CoapRequest request, IRequestSender next, CancellationToken cancellationToken)
    {
        try { return Logged(request, await next.AskAsync(request, cancellationToken)); }
        catch (CoapTimeoutException) when (request.IsRepeatable && request.Method.IsIdempotent) { log.WriteLine($"{request}: again"); }
        return Logged(request, await next.AskAsync(request.TryRepeat()!, cancellationToken));
    }

    public Answers Ask(CoapRequest request, IRequestSender next, CancellationToken cancellationToken)
    {
        try { return Logged(request, next.Ask(request, cancellationToken)); }
        catch (CoapTimeoutException) when (request.IsRepeatable && request.Method.IsIdempotent) { log.WriteLine($"{request}: again"); }
        return Logged(request, next.Ask(request.TryRepeat()!, cancellationToken));
    }

    private Answers Logged(CoapRequest request, Answers answers) => answers.Map(answer =>
    {
        log.WriteLine($"{request}: {answer.Code} from {answer.Remote}");
        return answer;
    });
}
