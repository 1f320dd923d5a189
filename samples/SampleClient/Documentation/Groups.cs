using CoAP;

namespace SampleClient;

/// <summary>The requests of the page "Asking a group".</summary>
internal static class Groups
{
    public static async Task RunAsync(CancellationToken cancellationToken)
    {
        await using var client = new CoapClient();

        await foreach (var found in client.DiscoverAsync("coap://224.0.1.187", "rt=temperature", cancellationToken: cancellationToken))
        {
            Console.WriteLine($"{found.Uri} of {found.Sender}");
        }

        var listenFor = TimeSpan.FromSeconds(8);
        await foreach (var answer in client.MulticastAsync("coap://[ff02::fd%25eth0]/hello", listenFor, cancellationToken))
        {
            Console.WriteLine($"{answer.Remote}: {answer.PayloadText}");
        }
    }
}
