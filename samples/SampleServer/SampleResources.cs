using System.Globalization;
using CoAP;
using CoAP.Options;

namespace SampleServer;

/// <summary>The resources that the documentation, the tests and other programs use.</summary>
internal static class SampleResources
{
    private const int LargeByDefault = 10_240;
    private const int LargestAnswer = int.MaxValue;
    private const int LargestInMemory = 64 << 10;
    private static readonly TimeSpan FiveSeconds = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan LongestDelay = TimeSpan.FromMinutes(1);

    public static void Map(ResourceMap resources, CancellationToken end)
    {
        resources.At("hello")
            .Get(_ => Response.Content("Hello, CoAP!"))
            .AnswersMulticast()
            .WithLink(title: "A greeting");

        Clock.Map(resources, end);

        var temperature = resources.At("sensors/temperature")
            .Produces(ContentFormats.TextPlain, ContentFormats.Json, ContentFormats.Cbor)
            .Observable()
            .WithLink(rt: "temperature", title: "The temperature in degrees Celsius");
        var ticks = new Ticks(temperature, FiveSeconds, end);
        temperature.Get(request =>
        {
            ticks.BeginFor(request);
            return Temperature.Read(request.Accept);
        });

        resources.At("echo").Post((request, _) => new(Echo(request)));
        resources.At("reverse").Post((request, _) => new(Reverse(request)));
        resources.At("large").Get(Large);
        resources.At("slow").Get(SlowAsync);
        new Store().Map(resources.At("store/{name}"));
        new Uploads().Map(resources.At("upload/{name}"));
    }

    private static CoapResponse Echo(IncomingRequest request) => new(ResponseCode.Changed)
    {
        Options = request.ContentFormat is { } format ? [new ContentFormat(format)] : [],
        Payload = request.Payload,
    };

    private static CoapResponse Reverse(IncomingRequest request)
    {
        var bytes = request.Payload.ToArray();
        Array.Reverse(bytes);
        return new(ResponseCode.Changed) { Payload = bytes };
    }

    private static CoapResponse Large(IncomingRequest request)
    {
        var size = Number(request, "size", LargeByDefault, LargestAnswer);
        if (size > LargestInMemory) { return Response.Content(new Pattern(size), ContentFormats.OctetStream, size); }
        var bytes = new byte[size];
        Pattern.Fill(bytes, 0);
        return Response.Content(bytes, ContentFormats.OctetStream);
    }

    private static async ValueTask<CoapResponse> SlowAsync(IncomingRequest request, CancellationToken cancellationToken)
    {
        var delay = TimeSpan.FromMilliseconds(Number(request, "ms", 1000, (int)LongestDelay.TotalMilliseconds));
        request.Acknowledge();
        await Task.Delay(delay, cancellationToken);
        return Response.Content($"This took {delay.TotalMilliseconds} ms.");
    }

    private static int Number(IncomingRequest request, string name, int byDefault, int most)
    {
        if (request.Query(name) is not { } text) { return byDefault; }
        if (int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number <= most) { return number; }
        throw new CoapResponseException(ResponseCode.BadRequest, $"{name} is '{text}'; a number from 0 to {most} is expected.");
    }
}
