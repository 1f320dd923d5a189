using CoAP;

namespace SampleRecipes;

/// <summary>The recipes that call peers.</summary>
internal static class Calls
{
    public static async Task OverUdpAndTcpAsync()
    {
        await using var client = new CoapClient();
        var overUdp = await client.GetAsync("coap://localhost/hello");
        var overTcp = await client.GetAsync("coap+tcp://localhost/hello");
        Console.WriteLine($"{overUdp.PayloadText} {overTcp.PayloadText}");
    }

    public static void FromSynchronousCode()
    {
        using var client = new CoapClient();
        Console.WriteLine(client.Get("coap://localhost/hello").EnsureSuccess().PayloadText);
        foreach (var state in client.Observe("coap://localhost/time")) { Console.WriteLine(state.Response.PayloadText); }
    }

    public static void BackToTheDevice(CoapServer server)
    {
        server.Resources.At("register").Post(async (request, cancellationToken) =>
        {
            var model = await request.Channel.GetAsync("/model", cancellationToken);
            return Response.Content($"Welcome, {model.PayloadText}!");
        });
    }
}
