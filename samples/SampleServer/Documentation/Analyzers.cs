using CoAP;

namespace SampleServer;

/// <summary>Code that the analyzers accept, of the page "Analyzers".</summary>
internal static class Analyzers
{
    public static void Map(ResourceMap resources, RequestDelegate createReport)
    {
        // Awaits: the lane serves other peers in the meantime.
        resources.At("config").Get(async (_, cancellationToken) =>
            Response.Content(await File.ReadAllTextAsync("config.json", cancellationToken)));

        // Synchronous: a handler thread calls it, unless it has been quick many times.
        resources.At("log").Get(_ => Response.Content(File.ReadAllText("log.txt")));

        // Asynchronous, but a handler thread always calls it.
        resources.At("report").Get(createReport, HandlerMode.Buffered);
    }

    public static async Task CallAsync(CoapClient client, CancellationToken cancellationToken)
    {
        await client.PutAsync("coap://device/led", "on", cancellationToken);
        _ = client.PutAsync("coap://device/lamp", "on", cancellationToken).AsTask();

        await foreach (var state in client.ObserveAsync("coap://device/led", cancellationToken))
        {
            Console.WriteLine(state.Response.PayloadText);
        }
    }
}
