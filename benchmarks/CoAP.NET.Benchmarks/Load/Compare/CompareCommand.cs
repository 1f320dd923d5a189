using System.ComponentModel;

namespace CoAP.Benchmarks.Load;

/// <summary>Compares servers: each case on each server in turn, round after round.</summary>
internal sealed class CompareCommand(CompareSettings settings) : IDisposable
{
    private const int EnoughToCompile = 64;

    private readonly Dictionary<Peer, PeerProcess> _running = [];

    public static Task<int> RunAsync(Arguments arguments)
    {
        var settings = CompareSettings.Read(arguments);
        var report = new Report(settings.Run, "Servers compared");
        Processors.Pin(Processors.Client);
        var peers = Peer.All(settings);
        foreach (var missing in settings.Servers.Except(peers.Select(static peer => peer.Short)))
        {
            report.Say($"{missing} is left out: it is not built or not installed.");
            if (missing == "coap.net") { report.Fail(1); }
        }
        report.Say("Servers: " + string.Join("; ", peers.Select(static peer => $"{peer.Name} {peer.Version}, `/{peer.Path}`")) + ".");
        report.Say($"Confirmable GET over UDP, GET over TCP. The servers run on processor {Processors.Server}, the generator on {Processors.Client}.");
        report.Say($"{settings.Rounds} rounds in turns of {settings.Measured.TotalSeconds:0.#} s, with {settings.Settle.TotalSeconds:0.#} s of load before each.");
        report.Say($"A .NET server has {settings.WarmUp.TotalSeconds:0.#} s of load after its start. One busy core needs 10 to 15 s to compile everything.");
        report.Say("\"window s\" is the age of the oldest message that the server's deduplication still held after the round.");
        using var compare = new CompareCommand(settings);
        try
        {
            var measurements = compare.Measure(peers).ToList();
            new ComparisonTables(measurements).Add(report);
            report.Fail(measurements.Count == 0 ? 1 : measurements.Count(static one => one.Result.Tally.Good == 0));
        }
        catch (Exception problem) when (problem is InvalidOperationException or SocketException or Win32Exception)
        {
            report.Say(problem.Message);
            report.Fail(1);
        }
        return Task.FromResult(report.ExitCode);
    }

    public void Dispose()
    {
        foreach (var server in _running.Values) { server.Dispose(); }
    }

    private IEnumerable<Measurement> Measure(IReadOnlyList<Peer> peers) =>
        from one in settings.Cases
        from round in Enumerable.Range(1, settings.Rounds)
        from peer in peers
        where one.IsTcp ? peer.HasTcp : peer.HasUdp
        select Measure(one, peer, round);

    private Measurement Measure(Case one, Peer peer, int round)
    {
        if (!_running.TryGetValue(peer, out var server)) { _running[peer] = server = PeerProcess.Start(peer, Processors.Server); }
        var load = new LoadSettings
        {
            Server = new IPEndPoint(IPAddress.Loopback, server.Port),
            IsTcp = one.IsTcp,
            Sockets = one.Sockets,
            Outstanding = one.Outstanding,
            Path = peer.Path,
            ServerProcess = server.Id,
            Duration = settings.Measured,
            WarmUp = settings.Settle,
        };
        // With one request at a time, a server never compiles its hot code in full.
        var warmUp = load with { Outstanding = one.IsTcp ? one.Outstanding : Math.Max(EnoughToCompile, one.Outstanding), WarmUp = settings.WarmUp, Duration = TimeSpan.FromMilliseconds(1) };
        if (server.IsWarm.Add(one.IsTcp) && !peer.IsFresh) { Load.Run(warmUp); }
        var result = Load.Run(load);
        Console.Error.WriteLine($"{one}, round {round}: {peer.Name}, {result.Rate:N0} requests/s, {result.CpuPerAnswer:0.00} us of CPU each");
        var measurement = new Measurement(one, peer, round, result, server.Metrics);
        if (peer.IsFresh && _running.Remove(peer)) { server.Dispose(); }
        return measurement;
    }
}
