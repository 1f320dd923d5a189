using CoAP.Tests.Mesh;

namespace CoAP.Benchmarks.Checks;

/// <summary>A whole request: what it allocates in a lane that is pumped, and what it asks of the system over loopback.</summary>
internal static class RequestChecks
{
    public static IEnumerable<Check> All() =>
    [
        Check.Count("inline request, shared response: bytes", BytesPerRequest(Response.Content("Hello, CoAP!")), 400, "bytes"),
        Check.Count("inline request, response of its own: bytes", BytesPerRequest(null), 560, "bytes"),
        .. LoopbackChecks.All(),
    ];

    private static double BytesPerRequest(CoapResponse? response)
    {
        const int Requests = 20_000;
        var feed = new RequestFeed(peers: 16, new CoapServerSettings(), "hello", response);
        feed.Pump(Requests);
        var before = GC.GetAllocatedBytesForCurrentThread();
        feed.Pump(Requests);
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        if (feed.Answers < 2 * Requests) { throw new InvalidOperationException($"{feed.Answers} answers to {2 * Requests} requests."); }
        feed.End();
        return (double)allocated / Requests;
    }
}
