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
        const int Requests = 20_000, Runs = 5;
        var feed = new RequestFeed(peers: 16, new CoapServerSettings(), "hello", response);
        feed.Pump(Requests);
        var least = long.MaxValue;
        // What the lane allocates once in a while is not the request's.
        for (var run = 0; run < Runs; run++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            feed.Pump(Requests);
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }
        if (feed.Answers < (Runs + 1) * Requests) { throw new InvalidOperationException($"{feed.Answers} answers to {(Runs + 1) * Requests} requests."); }
        feed.End();
        return (double)least / Requests;
    }
}
