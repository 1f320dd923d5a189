using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>The figures of one server with messages of one size: seconds from the first byte sent to the message deserialized, microseconds from the
/// last byte, and milliseconds of its processor time for a message.</summary>
internal sealed record DripResult(string Server, int Length, Runs Whole, Runs Last, double Cpu);

/// <summary>Messages of one size that are dripped to all servers at the same time.</summary>
internal static class DripRun
{
    private const int Questions = 1000;

    public static async Task<IReadOnlyList<DripResult>> RunAsync(
        (string Name, ServerProcess Server)[] servers, int payload, int repeats, TimeSpan interval, Func<int> nextNumber)
    {
        var drips = servers.Select(server => Enumerable.Range(0, repeats).Select(_ => new DripConnection(server.Server.EndPointOf("tcp"), nextNumber(), payload)).ToArray()).ToArray();
        var before = servers.Select(static server => ProcessUsage.Of(server.Server.Id).Cpu).ToArray();
        await Task.Factory.StartNew(() => Drip(drips, Clock.ToNanoseconds(interval)), TaskCreationOptions.LongRunning);
        var results = new List<DripResult>();
        for (var at = 0; at < servers.Length; at++)
        {
            var there = await WhenDeserializedAsync(servers[at].Server, drips[at]);
            var cpu = ProcessUsage.Of(servers[at].Server.Id).Cpu - before[at];
            results.Add(new(
                servers[at].Name, drips[at][0].Length, new Runs(drips[at].Select((drip, index) => (there[index] - drip.FirstByteAt) / 1e9)),
                new Runs(drips[at].Select((drip, index) => (there[index] - drip.LastByteAt) / 1e3)), cpu.TotalMilliseconds / repeats));
        }
        foreach (var drip in drips.SelectMany(static drip => drip)) { drip.Dispose(); }
        return results;
    }

    // The servers take turns to get their byte first.
    private static void Drip(DripConnection[][] drips, long step)
    {
        var next = Clock.Now + step;
        for (var tick = 0; !drips[0][0].IsSent; tick++, next += step)
        {
            Clock.SleepUntil(next);
            for (var repeat = 0; repeat < drips[0].Length; repeat++)
            {
                for (var server = 0; server < drips.Length; server++) { drips[(server + tick) % drips.Length][repeat].SendByte(); }
            }
        }
    }

    private static async Task<long[]> WhenDeserializedAsync(ServerProcess server, DripConnection[] drips)
    {
        var there = new long[drips.Length];
        for (var at = 0; at < drips.Length; at++)
        {
            for (var asked = 0; there[at] == 0; asked++)
            {
                if (asked == Questions) { throw new InvalidOperationException($"Message {drips[at].Token} has not arrived."); }
                there[at] = await server.AskNumberAsync(drips[at].Token.ToString());
                if (there[at] == 0) { await Task.Delay(TimeSpan.FromMilliseconds(10)); }
            }
        }
        return there;
    }
}
