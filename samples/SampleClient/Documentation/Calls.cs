using CoAP;

namespace SampleClient;

/// <summary>Timeouts, caching, problem details, No-Response and local sockets, as the documentation shows them.</summary>
internal static class Calls
{
    public static async Task CacheAsync(CancellationToken cancellationToken)
    {
        await using var client = new CoapClient(new CoapClientSettings { Cache = new ResponseCache() });

        await client.GetAsync("coap://localhost/hello", cancellationToken);
        var again = await client.GetAsync("coap://localhost/hello", cancellationToken);
        Console.WriteLine($"From the cache: {again.IsFromCache}, {again.Age.TotalSeconds:0} s old");
    }

    public static async Task TimeoutAsync(CancellationToken cancellationToken)
    {
        await using var client = new CoapClient(new CoapClientSettings { Timeout = TimeSpan.FromSeconds(2) });

        var request = new CoapRequest(RequestCode.Get, "coap://localhost/slow?ms=5000") { Timeout = TimeSpan.FromSeconds(10) };
        var response = await client.SendAsync(request, cancellationToken);
        Console.WriteLine(response.Code);
    }

    public static async Task ProblemAsync(CoapClient client, CancellationToken cancellationToken)
    {
        var response = await client.PutAsync("coap://localhost/valve", "150"u8.ToArray(), ContentFormats.TextPlain, cancellationToken);
        if (response.Problem is { } problem) { Console.WriteLine($"{response.Code}: {problem.Title}. {problem.Detail}"); }
    }

    public static async Task ForgetAsync(CoapClient client, CancellationToken cancellationToken)
    {
        var request = new CoapRequest(RequestCode.Put, "coap://localhost/store/reading") { Payload = "21.5"u8.ToArray() };
        var delivery = await client.SendAndForgetAsync(request, cancellationToken);
        Console.WriteLine(delivery.IsAcknowledged ? "The server has it." : "It is on its way.");
    }

    public static async Task LocalSocketAsync(CoapClient client, CancellationToken cancellationToken)
    {
        var channel = await client.OpenUnixAsync("/tmp/coap.sock", cancellationToken);
        var hello = await channel.SendAsync(new CoapRequest(RequestCode.Get, "/hello"), cancellationToken);
        Console.WriteLine(hello.PayloadText);
    }
}
