using SampleServer;

namespace CoAP.Benchmarks.Load;

/// <summary>The server for attacks that the sample server has no resource for, and for the memory of all attacks together.</summary>
internal static class AttackedService
{
    private const int LargeBody = 10_240, Representation = 4 << 20;

    private static readonly TimeSpan Work = TimeSpan.FromMilliseconds(20);

    public static Task<IService> StartAsync(ServiceValues values)
    {
        var counters = new LibraryCounters();
        var log = new LogBytes();
        var pauses = new Pauses();
        var settings = new CoapServerSettings
        {
            LoggerFactory = log,
            Dtls = DtlsPlatform.IsSupported ? new DtlsServerSettings { PreSharedKeys = PskStore.From(AttackedServer.Key) } : null,
        };
        return CoapService.StartAsync(settings, DtlsPlatform.IsSupported ? ["udp", "tcp", "tls", "dtls"] : ["udp", "tcp", "tls"], Map, question => question switch
        {
            "counters" => counters.Read(),
            "log" => $"{log.Bytes}",
            "pause" => string.Create(CultureInfo.InvariantCulture, $"{pauses.Read().Longest.TotalMilliseconds}"),
            _ => "",
        });
    }

    private static void Map(CoapServer server)
    {
        MapLikeSample(server.Resources);
        server.Resources.At("throwing").Get(static (_, _) => throw new InvalidOperationException("This handler always fails."));
        server.Resources.At("blocking").StreamsBody().Put(Read);
        server.Resources.At("working").Get(static _ =>
        {
            Thread.Sleep(Work);
            return Response.Content("");
        });
        var representation = new byte[Representation];
        server.Resources.At("representation").Get((_, _) => new(Response.Content(representation, ContentFormats.OctetStream)));
        var count = 0;
        server.Resources.At("counted").Post((_, _) => new(new CoapResponse(ResponseCode.Changed) { Payload = BitConverter.GetBytes(Interlocked.Increment(ref count)) }));
        var tag = new ETag(new byte[] { 1 });
        server.Resources.At("held").StreamsBody().WithTag(_ => tag).Put(Read).Delete(static _ => Response.Deleted);
    }

    // The resources that the attacks on the sample server use.
    private static void MapLikeSample(ResourceMap resources)
    {
        resources.At("hello").Get(static (_, _) => new(Response.Content("Hello, CoAP!")));
        resources.At("large").Get(static request =>
        {
            var size = int.Parse(request.Query("size") ?? $"{LargeBody}", CultureInfo.InvariantCulture);
            return Response.Content(new byte[size], ContentFormats.OctetStream);
        });
        resources.At("slow").Get(static async (request, stop) =>
        {
            request.Acknowledge();
            await Task.Delay(int.Parse(request.Query("ms")!, CultureInfo.InvariantCulture), stop);
            return Response.Content("");
        });
        resources.At("time").Get(static (_, _) => new(Response.Content($"{Stopwatch.GetTimestamp()}"))).Observable(confirmable: true);
        resources.At("echo").Post(static (request, _) => new(new CoapResponse(ResponseCode.Changed) { Payload = request.Payload }));
        resources.At("upload/{name}").StreamsBody().Put(static async (request, stop) =>
        {
            await request.Body.CopyToAsync(Stream.Null, stop);
            return Response.Changed;
        });
    }

    private static CoapResponse Read(IncomingRequest request)
    {
        request.Body.CopyTo(Stream.Null);
        return Response.Changed;
    }
}
