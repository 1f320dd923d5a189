using CoAP;

namespace SampleClient;

/// <summary>The client of the README.</summary>
internal static class TenLines
{
    public static async Task RunAsync(CancellationToken cancellationToken)
    {
        await using var client = new CoapClient();

        var hello = await client.GetAsync("coap://localhost/hello", cancellationToken);
        Console.WriteLine($"{hello.Code} {hello.PayloadText} after {hello.RoundTripTime.TotalMilliseconds} ms");

        var put = await client.PutAsync("coap+tcp://localhost/store/note", "Buy milk"u8.ToArray(), ContentFormats.TextPlain, cancellationToken);
        put.EnsureSuccess();

        var note = client.Get("coap://localhost/store/note", cancellationToken);
        Console.WriteLine(note.IsSuccess ? note.PayloadText : $"Refused: {note.Code}");
    }
}
