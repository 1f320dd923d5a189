using System.Globalization;
using SampleServer;

namespace CoAP.Measurements.Serving;

/// <summary>The same resources over every transport.</summary>
internal sealed class TransportService(EveryTransport server) : IService
{
    private const int LargestInMemory = 64 << 10;

    public IEnumerable<string> Addresses => server.Addresses;

    public static async Task<IService> StartAsync(IReadOnlyDictionary<string, string> values) =>
        new TransportService(await EveryTransport.StartAsync(values, new TlsServerSettings(), new StreamSettings(), Map));

    public ValueTask DisposeAsync() => server.DisposeAsync();

    private static void Map(ResourceMap resources)
    {
        resources.At("echo").Post((request, _) => new(new CoapResponse(ResponseCode.Changed) { Payload = request.Payload }));
        resources.At("body").Get((request, _) => new(BodyOf(long.Parse(request.Query("size")!, CultureInfo.InvariantCulture), request.Query("memory") is not null)));
    }

    private static CoapResponse BodyOf(long size, bool isInMemory) => isInMemory || size <= LargestInMemory
        ? Response.Content(new byte[size], ContentFormats.OctetStream)
        : Response.Content(new Pattern(size), ContentFormats.OctetStream, size);
}
