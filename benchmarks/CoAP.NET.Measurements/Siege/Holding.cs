using System.Globalization;
using CoAP.Measurements.Serving;

namespace CoAP.Measurements.Siege;

/// <summary>What a server holds at one moment.</summary>
/// <param name="Descriptors">Files and sockets of its process.</param>
/// <param name="Threads">Threads of its process.</param>
/// <param name="Heap">Bytes of live objects, after a full collection.</param>
/// <param name="Counters">The library's own counters by name.</param>
internal sealed record Holding(int Descriptors, int Threads, long Heap, IReadOnlyDictionary<string, long> Counters)
{
    private const string Connections = "coap.connections.active";
    private const string Requests = "coap.requests.active";

    public long OpenConnections => Counters.GetValueOrDefault(Connections);

    public long ActiveRequests => Counters.GetValueOrDefault(Requests);

    public static async Task<Holding> OfAsync(ServerProcess server)
    {
        var heap = long.Parse(await server.AskAsync("heap"), CultureInfo.InvariantCulture);
        var counters = await CountersAsync(server);
        return new Holding(Count(server.Id, "fd"), Count(server.Id, "task"), heap, counters);
    }

    /// <summary>Waits until no more connections are open than before, which the server's limits of time see to.</summary>
    public async Task UntilBackAsync(ServerProcess server, TimeSpan patience)
    {
        for (var waited = TimeSpan.Zero; waited < patience; waited += TimeSpan.FromMilliseconds(50))
        {
            var counters = await CountersAsync(server);
            if (counters.GetValueOrDefault(Connections) <= OpenConnections && Count(server.Id, "fd") <= Descriptors) { return; }
            await Task.Delay(TimeSpan.FromMilliseconds(50));
        }
    }

    private static async Task<IReadOnlyDictionary<string, long>> CountersAsync(ServerProcess server) =>
        (await server.AskAsync("counters")).Split(' ').Select(static one => one.Split('='))
            .ToDictionary(static one => one[0], static one => long.Parse(one[1], CultureInfo.InvariantCulture));

    private static int Count(int process, string folder) => Directory.EnumerateFileSystemEntries($"/proc/{process}/{folder}").Count();
}
