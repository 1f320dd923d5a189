using CoAP;

namespace SampleClient;

/// <summary>Steps that requests pass on their way out, as the documentation shows them.</summary>
internal static class Steps
{
    public static async Task UseAsync(CancellationToken cancellationToken)
    {
        await using var client = new CoapClient().Use(new LogAndRetry(Console.Out));

        var hello = await client.GetAsync("coap://localhost/hello", cancellationToken);
        await foreach (var state in client.ObserveAsync("coap://localhost/sensors/temperature", cancellationToken))
        {
            Console.WriteLine($"{hello.PayloadText} {state.Response.PayloadText}");
        }
    }

    public static async Task ThroughAsync(CoapClient client, CancellationToken cancellationToken)
    {
        var logged = client.Through(new LogAndRetry(Console.Error));
        await logged.PutAsync("coap://localhost/valve", "50"u8.ToArray(), ContentFormats.TextPlain, cancellationToken);
    }

    public static IRequestStep ReadOnly() => RequestStep.Of(
        "read-only",
        (request, next, stop) => Refusal(request) is { } refusal ? new(Answers.Of(refusal)) : next.AskAsync(request, stop),
        (request, next, stop) => Refusal(request) is { } refusal ? Answers.Of(refusal) : next.Ask(request, stop));

    private static CoapResponse? Refusal(CoapRequest request) => request.Method.IsSafe ? null : new CoapResponse(ResponseCode.Forbidden);

    public static IRequestSender OfflineSender() => new OfflineCopy();

    private sealed class OfflineCopy : RequestSender
    {
        public override ValueTask<Answers> AskAsync(CoapRequest request, CancellationToken cancellationToken = default) =>
            new(Ask(request, cancellationToken));

        public override Answers Ask(CoapRequest request, CancellationToken cancellationToken = default) => request.Method == RequestCode.Get
            ? Answers.Of(Response.Content("21.5"))
            : throw new CoapTransportException("There is no network.");
    }
}
