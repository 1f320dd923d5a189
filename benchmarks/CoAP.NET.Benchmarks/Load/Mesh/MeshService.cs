using System.Threading.Tasks.Dataflow;

namespace CoAP.Benchmarks.Load;

/// <summary>A server over UDP. Its values decide which stages are inline and which are buffered.</summary>
internal static class MeshService
{
    private static readonly CoapResponse Changed = new(ResponseCode.Changed);
    private static uint _hash;

    public static Task<IService> StartAsync(ServiceValues values)
    {
        var settings = Limits.Server with { Lanes = (int)values.Number("lanes", 1), Links = [.. Links(values)] };
        if (values.Number("above", -1) is var above and >= 0) { settings = settings with { MaxInlinePayload = (int)above }; }
        if (values.Number("threads") is var threads and > 0) { settings = settings with { HandlerThreads = (int)threads }; }
        var handler = values.GetValueOrDefault("handler");
        if (handler?.StartsWith("scoped", StringComparison.Ordinal) == true) { settings = HelloHandlers.AddServices(settings); }
        return CoapService.StartAsync(settings, ["udp", "tcp"], server =>
        {
            if (values.TryGetValue("step", out var step)) { server.Use(step == "inline" ? StepInline : StepElsewhere); }
            var mode = values.ContainsKey("mode") ? HandlerMode.Buffered : HandlerMode.Inline;
            HelloHandlers.Map(server.Resources, handler, mode);
            server.Resources.At("sum").Put(static request => Sum(request.Payload.Span), mode);
        });
    }

    // User stages at arrows in all parts of the lane.
    private static IEnumerable<MeshLink> Links(ServiceValues values)
    {
        MeshLink[] filters = [Filter(MeshArrow.Requests), Filter(MeshArrow.MessagesIn), Filter(MeshArrow.Answers), Filter(MeshArrow.FramesIn), Filter(MeshArrow.MessagesOut)];
        MeshLink[] throughs = [Through(MeshArrow.Requests), Through(MeshArrow.MessagesIn), Through(MeshArrow.Answers), Through(MeshArrow.FramesIn), Through(MeshArrow.MessagesOut)];
        MeshLink[] taps = [Tap(MeshArrow.Requests)];
        return [.. filters.Take((int)values.Number("filters")), .. throughs.Take((int)values.Number("throughs")), .. taps.Take((int)values.Number("taps"))];
    }

    private static MeshLink Filter<T>(MeshArrow<T> arrow) => MeshLink.Filter(arrow, static _ => true);

    private static MeshLink Tap<T>(MeshArrow<T> arrow) => MeshLink.Tap(arrow, new ActionBlock<T>(static _ => { }));

    private static MeshLink Through<T>(MeshArrow<T> arrow) => MeshLink.Through(arrow, static () => new TransformBlock<T, T>(static item => item));

    private static RequestDelegate StepInline(RequestDelegate next) => (request, cancellationToken) => next(request, cancellationToken);

    private static RequestDelegate StepElsewhere(RequestDelegate next) => async (request, cancellationToken) =>
    {
        await Task.Yield();
        return await next(request, cancellationToken);
    };

    // Work in proportion to the size, about a nanosecond a byte.
    private static CoapResponse Sum(ReadOnlySpan<byte> payload)
    {
        var hash = 2166136261u;
        foreach (var one in payload) { hash = (hash ^ one) * 16777619; }
        Volatile.Write(ref _hash, hash);
        return Changed;
    }
}
