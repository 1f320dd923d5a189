using CoAP;

namespace SampleClient;

/// <summary>Timeouts and repeated requests, as the page "Timeouts and reliability" shows them.</summary>
internal static class Timeouts
{
    public static CoapClient Create() => new(new CoapClientSettings
    {
        Timeout = TimeSpan.FromSeconds(20),
        Transmission = new TransmissionParameters { AckTimeout = TimeSpan.FromSeconds(4) },     // for round trips of up to 4 s
        Stream = new StreamSettings { PingInterval = TimeSpan.FromMinutes(1), PingTimeout = TimeSpan.FromSeconds(15) },
    });

    public static async Task ExplainAsync(CoapClient client, CancellationToken cancellationToken)
    {
        try
        {
            await client.PostAsync("coap://localhost/orders", "one"u8.ToArray(), ContentFormats.TextPlain, cancellationToken);
        }
        catch (CoapTimeoutException exception)
        {
            Console.WriteLine(exception.Message);
            Console.WriteLine($"waited for {exception.AwaitedEvent}, sent {exception.Attempts} times, acknowledged: {exception.IsAcknowledged}");
        }
    }

    public static async Task<CoapResponse> RepeatAsync(CoapClient client, CoapRequest request, int attempts, CancellationToken cancellationToken)
    {
        for (var attempt = 1; ; attempt++)
        {
            try { return await client.SendAsync(request, cancellationToken); }
            catch (CoapException exception) when (attempt < attempts && MayRepeat(request, exception))
            {
                var wait = exception is CoapTransportException { RetryAfter: { } later } ? later : TimeSpan.FromSeconds(1 << attempt);
                await Task.Delay(wait, cancellationToken);
                request = request.TryRepeat()!;
            }
        }
    }

    private static bool MayRepeat(CoapRequest request, CoapException exception) => exception switch
    {
        CoapBusyException or CoapTransportException { RetryAfter: not null } => request.IsRepeatable,   // the request was not sent
        CoapTimeoutException or CoapTransportException => request.IsRepeatable && request.Method.IsIdempotent,
        _ => false,
    };
}
