using System.Diagnostics;
using System.Globalization;
using CoAP.Measurements.Reporting;
using CoAP.Measurements.Serving;

namespace CoAP.Measurements.Drip;

/// <summary>What one server showed with messages of one size.</summary>
/// <param name="Server">"async" or "sync".</param>
/// <param name="Length">The bytes of the whole message.</param>
/// <param name="Whole">Seconds from the first byte sent to the message deserialized.</param>
/// <param name="Last">Microseconds from the last byte sent to the message deserialized.</param>
/// <param name="Cpu">Milliseconds of the server's processor time for each message.</param>
internal sealed record DripResult(string Server, int Length, Runs Whole, Runs Last, double Cpu);

/// <summary>Messages of one size, dripped to all servers at the same time.</summary>
internal static class DripRun
{
    public static async Task<IReadOnlyList<DripResult>> RunAsync(
        (string Name, ServerProcess Server)[] servers, int payload, int repeats, TimeSpan interval, Func<int> nextNumber)
    {
        var drips = servers.Select(server => Enumerable.Range(0, repeats).Select(_ => Connect(server.Server, nextNumber(), payload)).ToArray()).ToArray();
        var before = await Task.WhenAll(servers.Select(server => server.Server.CpuAsync()));
        await Task.Factory.StartNew(() => Drip(drips, interval), TaskCreationOptions.LongRunning);
        var results = new List<DripResult>();
        for (var at = 0; at < servers.Length; at++)
        {
            var there = await WhenDeserializedAsync(servers[at].Server, drips[at]);
            var cpu = await servers[at].Server.CpuAsync() - before[at];
            results.Add(ResultOf(servers[at].Name, drips[at], there, cpu));
        }
        foreach (var drip in drips.SelectMany(drip => drip)) { drip.Dispose(); }
        return results;
    }

    private static DripConnection Connect(ServerProcess server, int number, int payload) =>
        new(int.Parse(server["tcp"], CultureInfo.InvariantCulture), number, payload);

    // The servers take turns at who gets its byte first.
    private static void Drip(DripConnection[][] drips, TimeSpan interval)
    {
        var step = (long)(interval.TotalSeconds * Stopwatch.Frequency);
        var next = Stopwatch.GetTimestamp() + step;
        for (var tick = 0; !drips[0][0].IsSent; tick++, next += step)
        {
            Pace.SleepUntil(next);
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
            for (var patience = 0; there[at] == 0; patience++)
            {
                if (patience == 1000) { throw new InvalidOperationException($"Message {drips[at].Token} has not arrived."); }
                there[at] = long.Parse(await server.AskAsync(drips[at].Token.ToString()), CultureInfo.InvariantCulture);
                if (there[at] == 0) { await Task.Delay(TimeSpan.FromMilliseconds(10)); }
            }
        }
        return there;
    }

    private static DripResult ResultOf(string server, DripConnection[] drips, long[] there, TimeSpan cpu) => new(
        server,
        drips[0].Length,
        new Runs(drips.Select((drip, at) => Stopwatch.GetElapsedTime(drip.FirstByteAt, there[at]).TotalSeconds)),
        new Runs(drips.Select((drip, at) => Stopwatch.GetElapsedTime(drip.LastByteAt, there[at]).TotalMicroseconds)),
        cpu.TotalMilliseconds / drips.Length);
}
