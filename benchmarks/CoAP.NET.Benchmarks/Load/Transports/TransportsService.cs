using SampleServer;

namespace CoAP.Benchmarks.Load;

/// <summary>The same resources over every transport.</summary>
internal static class TransportsService
{
    private const int LargestInMemory = 64 << 10;

    public static Task<IService> StartAsync(ServiceValues values) => CoapService.StartAsync(Limits.Server, ["udp", "tcp", "tls", "unix", "ws"], Map);

    private static void Map(CoapServer server)
    {
        server.Resources.At("echo").Post(static (request, _) => new(new CoapResponse(ResponseCode.Changed) { Payload = request.Payload }));
        server.Resources.At("body").Get(static (request, _) => new(BodyOf(long.Parse(request.Query("size")!, CultureInfo.InvariantCulture), request.Query("memory") is not null)));
    }

    private static CoapResponse BodyOf(long size, bool isInMemory) => isInMemory || size <= LargestInMemory
        ? Response.Content(new byte[size], ContentFormats.OctetStream)
        : Response.Content(new Pattern(size), ContentFormats.OctetStream, size);
}
