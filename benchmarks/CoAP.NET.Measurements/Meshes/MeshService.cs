using System.Globalization;
using System.Net;
using System.Threading.Tasks.Dataflow;
using CoAP.Measurements.Serving;

namespace CoAP.Measurements.Meshes;

/// <summary>A server over UDP whose stages are inline or buffered, as far as settings go.</summary>
internal sealed class MeshService : IService
{
    private static readonly CoapResponse Hello = Response.Content("Hello, CoAP!");
    private static readonly CoapResponse Changed = new(ResponseCode.Changed);

    private readonly CoapServer _server;
    private long _sum;

    private MeshService(IReadOnlyDictionary<string, string> values)
    {
        var settings = Serving.Settings.Server with
        {
            Endpoints = [ServerEndpoint.Udp(new IPEndPoint(IPAddress.Loopback, 0))],
            Lanes = Number(values, "lanes", 1),
            Links = [.. Links(values)],
        };
        if (Number(values, "above", -1) is var above and >= 0) { settings = settings with { BufferedSize = above }; }
        if (Number(values, "threads", 0) is var threads and > 0) { settings = settings with { HandlerThreads = threads }; }
        _server = new CoapServer(settings);
        if (values.TryGetValue("step", out var step)) { _server.Use(step == "inline" ? StepInline : StepElsewhere); }
        var mode = values.TryGetValue("handler", out var handler) && handler == "buffered" ? HandlerMode.Buffered : HandlerMode.Inline;
        _server.Resources.At("hello").Get(static _ => Hello, mode);
        _server.Resources.At("sum").Put(Sum, mode);
    }

    public IEnumerable<string> Addresses => [$"udp {_server.Endpoints[0].Address.Port}"];

    public static Task<IService> StartAsync(IReadOnlyDictionary<string, string> values)
    {
        var service = new MeshService(values);
        service._server.Start();
        return Task.FromResult<IService>(service);
    }

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    // A stage of the user's at arrows all over the lane, from the outside to the inside.
    private static IEnumerable<MeshLink> Links(IReadOnlyDictionary<string, string> values)
    {
        MeshLink[] filters = [Filter(MeshArrow.Requests), Filter(MeshArrow.MessagesIn), Filter(MeshArrow.Answers), Filter(MeshArrow.FramesIn), Filter(MeshArrow.MessagesOut)];
        MeshLink[] throughs = [Through(MeshArrow.Requests), Through(MeshArrow.MessagesIn), Through(MeshArrow.Answers), Through(MeshArrow.FramesIn), Through(MeshArrow.MessagesOut)];
        var taps = Number(values, "taps", 0) > 0 ? [MeshLink.Tap(MeshArrow.Requests, new ActionBlock<IncomingRequest>(static _ => { }))] : Array.Empty<MeshLink>();
        return [.. filters.Take(Number(values, "filters", 0)), .. throughs.Take(Number(values, "throughs", 0)), .. taps];
    }

    private static MeshLink Filter<T>(MeshArrow<T> arrow) => MeshLink.Filter(arrow, static _ => true);

    private static MeshLink Through<T>(MeshArrow<T> arrow) => MeshLink.Through(arrow, static () => new TransformBlock<T, T>(static item => item));

    private static RequestDelegate StepInline(RequestDelegate next) => (request, cancellationToken) => next(request, cancellationToken);

    private static RequestDelegate StepElsewhere(RequestDelegate next) => async (request, cancellationToken) =>
    {
        await Task.Yield();
        return await next(request, cancellationToken);
    };

    // Work in proportion to the size, about a nanosecond a byte.
    private CoapResponse Sum(IncomingRequest request)
    {
        var hash = 2166136261u;
        foreach (var one in request.Payload.Span) { hash = (hash ^ one) * 16777619; }
        Volatile.Write(ref _sum, hash);
        return Changed;
    }

    private static int Number(IReadOnlyDictionary<string, string> values, string name, int otherwise) =>
        values.TryGetValue(name, out var text) ? int.Parse(text, CultureInfo.InvariantCulture) : otherwise;
}
