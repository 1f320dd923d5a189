using CoAP;

namespace SampleClient;

/// <summary>The observations of the page "Observing".</summary>
internal static class Observing
{
    public static async Task RunAsync(CancellationToken cancellationToken)
    {
        await using var client = new CoapClient();

        await foreach (var notification in client.ObserveAsync("coap://localhost/sensors/temperature", cancellationToken))
        {
            Console.WriteLine(notification.Response.PayloadText);
        }
    }

    public static void Run(CoapClient client, CancellationToken cancellationToken)
    {
        foreach (var notification in client.Observe("coap://localhost/sensors/temperature", cancellationToken))
        {
            Console.WriteLine(notification.Response.PayloadText);
        }
    }

    public static async Task WatchAsync(CoapClient client, CancellationToken cancellationToken)
    {
        var observation = client.ObserveAsync("coap://localhost/time", cancellationToken);
        observation.StateChanged += (_, _) => Console.WriteLine($"{observation.State} {observation.LastError?.Message}");
        var count = 0;
        await foreach (var notification in observation)
        {
            Console.WriteLine($"{notification.Response.PayloadText}, {notification.Skipped} skipped");
            if (++count == 3) { break; }
        }
        Console.WriteLine(observation.EndReason);
    }

    public static async Task GoOnAfterRestartAsync(CancellationToken cancellationToken)
    {
        var store = new FileSubscriptionStore("subscriptions");
        var settings = new CoapClientSettings { ClientObservations = new ClientObservationSettings { Store = store } };
        await using var client = new CoapClient(settings);

        foreach (var observation in client.RestoreObservations(cancellationToken))
        {
            await foreach (var notification in observation) { Console.WriteLine($"{observation.Request}: {notification}"); }
        }
    }
}
