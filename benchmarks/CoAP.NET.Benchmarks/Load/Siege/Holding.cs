namespace CoAP.Benchmarks.Load;

/// <summary>The resources of a server at one moment: descriptors, threads, bytes of live objects, and the library's instruments by name.</summary>
internal sealed record Holding(int Descriptors, int Threads, long Heap, IReadOnlyDictionary<string, long> Counters)
{
    private const string Connections = "coap.connection.active";

    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(50);

    public static async Task<Holding> OfAsync(ServerProcess server)
    {
        var heap = await server.AskNumberAsync("heap");
        return new Holding(Count(server.Id, "fd"), Count(server.Id, "task"), heap, await CountersAsync(server));
    }

    /// <summary>Waits until no more connections are open than at this moment. The server's time limits close the rest.</summary>
    public async Task UntilBackAsync(ServerProcess server, TimeSpan patience)
    {
        for (var watch = Stopwatch.StartNew(); watch.Elapsed < 5 * patience; await Task.Delay(Interval))
        {
            if (Count(server.Id, "fd") <= Descriptors && (await CountersAsync(server)).GetValueOrDefault(Connections) <= Counters.GetValueOrDefault(Connections)) { return; }
        }
    }

    private static async Task<IReadOnlyDictionary<string, long>> CountersAsync(ServerProcess server) =>
        (await server.AskAsync("counters")).Split(' ').Select(static one => one.Split('='))
            .ToDictionary(static one => one[0], static one => long.Parse(one[1], CultureInfo.InvariantCulture));

    private static int Count(int process, string folder) => Directory.EnumerateFileSystemEntries($"/proc/{process}/{folder}").Count();
}
