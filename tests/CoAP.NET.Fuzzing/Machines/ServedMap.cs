using CoAP.TestSupport;

namespace CoAP.Fuzzing.Machines;

/// <summary>The resources of the servers under test: each path has another way through the library.</summary>
internal sealed class ServedMap(ManualClock time)
{
    public const string Greeting = "hello";

    private Resource? _seen;
    private Resource? _fresh;

    /// <summary>The number of times that a handler was called.</summary>
    public int Calls { get; private set; }

    public void Map(ResourceMap map)
    {
        map.At("hello").Get(_ => Count(Response.Content(Greeting)), HandlerMode.Inline);
        map.At("a").Get(_ => Count(Response.Content(new byte[40], ContentFormats.OctetStream)), HandlerMode.Inline)
            .Put(request => Count(Response.Content($"{request.Payload.Length}")), HandlerMode.Inline)
            .Post(_ => Count(new CoapResponse(ResponseCode.Changed) { Payload = new byte[2500] }), HandlerMode.Inline)
            .Delete(_ => Count(Response.Deleted), HandlerMode.Inline)
            .Fetch(request => Count(Response.Content(new byte[200 + request.Payload.Length], 42)), HandlerMode.Inline);
        map.At("b").Get(_ => Count(Response.Content(new byte[5000], ContentFormats.OctetStream)), HandlerMode.Inline);
        map.At("s").Get(_ => Count(Response.Content(new MemoryStream(new byte[3000]), ContentFormats.OctetStream)), HandlerMode.Inline);
        map.At("l").Get((request, token) => LateAsync(0.2)).Post((request, token) => LateAsync(6));
        map.At("f").RequiresFreshness(TimeSpan.FromSeconds(60)).Put(_ => Count(Response.Changed), HandlerMode.Inline);
        _seen = map.At("o").Observable().Get(_ => Count(Response.Content(new byte[60], ContentFormats.OctetStream)), HandlerMode.Inline)
            .Fetch(request => Count(Response.Content(request.Payload.ToArray(), ContentFormats.OctetStream)), HandlerMode.Inline);
        _fresh = map.At("p").Observable(keepsFresh: true).Get(_ => Count(Response.Content(new byte[1500], ContentFormats.OctetStream)), HandlerMode.Inline);
    }

    /// <summary>Notifies the observers of all resources.</summary>
    public void NotifyChanged()
    {
        _seen!.NotifyChanged();
        _fresh!.NotifyChanged();
    }

    /// <summary>A resource whose body is read while it arrives, on other threads.</summary>
    public static void MapStreamed(ResourceMap map) => map.At("u").Put(ReadAsync).Post(ReadAsync).StreamsBody();

    private static async ValueTask<CoapResponse> ReadAsync(IncomingRequest request, CancellationToken cancellationToken)
    {
        await request.Body.CopyToAsync(Stream.Null, cancellationToken);
        return new CoapResponse(ResponseCode.Changed) { Payload = new byte[100] };
    }

    private async ValueTask<CoapResponse> LateAsync(double seconds)
    {
        Calls++;
        await LateAnswer.After(time, TimeSpan.FromSeconds(seconds));
        return Response.Content(new byte[300], ContentFormats.OctetStream);
    }

    private CoapResponse Count(CoapResponse response)
    {
        Calls++;
        return response;
    }
}
