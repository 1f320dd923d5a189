using System.Diagnostics;
using System.Net.Sockets;
using CoAP.Measurements.HandOffs.Ends;
using CoAP.Measurements.HandOffs.Rungs;
using CoAP.Measurements.Servers.Load;
using CoAP.Measurements.Serving;

namespace CoAP.Measurements.HandOffs;

/// <summary>Measures a rung in one placement, on a thread of its own that is used for all of its runs.</summary>
internal sealed class RungMeasurement(HandOffPlan plan, TestNetwork? network)
{
    public async Task<RungResult> MeasureAsync(Rung rung, Placement placement)
    {
        Native.PinAll(placement.Cores);
        try
        {
            if (rung.Open is { } open) { return await OnThreadAsync(placement, () => Measure(rung, placement, open(placement))); }
            return await MeasureAcrossAsync(rung, placement);
        }
        finally
        {
            Native.PinAll([]);
        }
    }

    private async Task<RungResult> MeasureAcrossAsync(Rung rung, Placement placement)
    {
        var kind = rung.Kind!;
        var path = Path.Combine(Path.GetTempPath(), $"handoff-{Environment.ProcessId}.sock");
        File.Delete(path);
        var at = kind == SocketKind.Unix ? path : rung.IsRemote ? network!.EchoAddress : "127.0.0.1";
        string[] programs = rung.IsRemote ? network!.AtTheOtherEnd : [];
        if (placement.Echoing is { } core) { programs = [.. programs, "taskset", "-c", $"{core}"]; }
        if (placement.Cores is [var only]) { programs = [.. programs, "taskset", "-c", $"{only}"]; }
        await using var echo = await ServerProcess.StartBehindAsync(
            programs, "service=handoff", $"kind={kind.Name}", $"address={at}", $"awaited={(rung.IsAwaited ? "true" : "false")}");
        Socket Connect() => kind.Connect(echo["address"]);
        var socket = rung.IsRemote ? network!.AtOurEnd(Connect) : Connect();
        var result = await OnThreadAsync(placement, () => Measure(rung, placement, Sockets.Open(kind, socket, rung.IsAwaited), echo.Id));
        File.Delete(path);
        return result;
    }

    private RungResult Measure(Rung rung, Placement placement, IPair pair, int? other = null)
    {
        using var ends = pair;
        var turns = plan.TurnsOf(rung, placement);
        for (var warming = Stopwatch.StartNew(); warming.Elapsed < plan.WarmUp;) { ends.Run(turns, new Latencies()); }
        var (runs, all, most) = (new List<HandOffRun>(), new Latencies(), plan.Runs(rung.Length));
        var before = Usage.Of(other);
        for (var time = Stopwatch.StartNew(); runs.Count < most && (runs.Count < 2 || time.Elapsed < plan.Budget);) { runs.Add(ends.Run(turns, all)); }
        return new RungResult(rung, placement, turns, runs, all, Usage.Of(other).Since(before));
    }

    private static Task<RungResult> OnThreadAsync(Placement placement, Func<RungResult> measure)
    {
        var done = new TaskCompletionSource<RungResult>(TaskCreationOptions.RunContinuationsAsynchronously);
        new Thread(() =>
        {
            try
            {
                if (placement.Asking is { } core) { Native.Pin(core); }
                done.SetResult(measure());
            }
            catch (Exception exception) // Whoever awaits gets it.
            {
                done.SetException(exception);
            }
        })
        { IsBackground = true, Name = "asking" }.Start();
        return done.Task;
    }
}
