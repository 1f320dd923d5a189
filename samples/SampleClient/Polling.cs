using CoAP;

namespace SampleClient;

/// <summary>A service that polls a device, as the documentation shows it.</summary>
internal static class Polling
{
    public static async Task RunAsync(CoapClient client, string uri, TimeSpan period, Action<string> take, CancellationToken cancellationToken)
    {
        while (true)
        {
            var wait = period;
            try
            {
                var reading = await client.GetAsync(uri, cancellationToken);
                take(reading.IsSuccess ? reading.PayloadText : $"The device refuses: {reading.Code} {reading.PayloadText}");
            }
            catch (CoapException exception)
            {
                take($"No reading: {exception.Message}");
                if (exception is CoapTransportException { RetryAfter: { } later } && later > wait) { wait = later; }
            }
            await Task.Delay(wait, cancellationToken);
        }
    }

    public static string Read(CoapClient client, string uri, TimeSpan patience)
    {
        using var limit = new CancellationTokenSource(patience);
        return client.Get(uri, limit.Token).EnsureSuccess().PayloadText;
    }
}
