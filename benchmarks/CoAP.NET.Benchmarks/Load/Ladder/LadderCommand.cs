using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>The most runs of a rung and the turn-arounds of a run, by the length of the rung; the warm-up; and the time after which no run begins.</summary>
internal sealed record LadderPlan(Func<RungLength, int> Runs, Func<RungLength, int> Turns, TimeSpan WarmUp, TimeSpan Budget)
{
    private const int TurnsOfStarving = 10;

    /// <summary>Returns the plan of a form. The full one has the document's numbers.</summary>
    public static LadderPlan Of(RunForm form) => form switch
    {
        RunForm.Dry => new(static _ => 3, static _ => 20, TimeSpan.Zero, TimeSpan.FromSeconds(0.2)),
        RunForm.Quick => new(static _ => 50, static length => length == RungLength.Spinning ? 10_000 : 500, TimeSpan.FromSeconds(0.2), TimeSpan.FromSeconds(0.5)),
        RunForm.Usual => new(static _ => 1_000, static length => length == RungLength.Spinning ? 50_000 : 1_000, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(15)),
        _ => new(
            static length => length == RungLength.Across ? 1_000 : 10_000, static length => length == RungLength.Spinning ? 50_000 : 10_000, TimeSpan.FromSeconds(3), TimeSpan.MaxValue),
    };

    public static bool IsStarving(Rung rung, Placement placement) => rung.Length == RungLength.Spinning && placement == Placement.Together;

    public int TurnsOf(Rung rung, Placement placement) => IsStarving(rung, placement) ? Math.Min(Turns(rung.Length), TurnsOfStarving) : Turns(rung.Length);
}

/// <summary>The latency ladder: the time of a hand-off to another thread, process or network.</summary>
internal sealed class LadderCommand(LadderPlan plan, TestNetwork? network)
{
    private const string Document = "the latency ladder (spinlock, semaphore, ZeroMQ in a process, over a local socket and over TCP between containers; Java 21 on a Ryzen 5 4500U)";

    public static async Task<int> RunAsync(Arguments arguments)
    {
        var settings = RunSettings.Read("ladder", arguments, [.. Rung.All.Select(static rung => rung.Name)]);
        var (runs, turns, seconds) = (arguments.Count("--runs", 1, int.MaxValue), arguments.Count("--turns", 1, int.MaxValue), arguments.Seconds("--seconds", 0));
        arguments.End();
        var plan = LadderPlan.Of(settings.Form);
        plan = plan with { Runs = runs is { } r ? _ => r : plan.Runs, Turns = turns is { } t ? _ => t : plan.Turns, Budget = seconds ?? plan.Budget };
        var report = new Report(settings, "Hand-off latency", Document);
        report.Say(LadderReport.DescribeTimer());
        report.Say("One way is half a turn-around. The payload is empty, or a byte where a stream needs one. Ends and objects are the same for all runs of a row.");
        report.Say("Processor time and context switches are those of both ends.");
        var output = new LadderReport(report);
        var rungs = Rung.All.Where(rung => settings.Wants(rung.Name)).ToArray();
        var reason = "";
        using var network = rungs.Any(static rung => rung.IsRemote) ? TestNetwork.TryCreate(out reason) : null;
        if (reason.Length > 0) { report.Say($"Two networks are left out: {reason}"); }
        var ladder = new LadderCommand(plan, network);
        foreach (var (rung, placement) in from rung in rungs where !rung.IsRemote || network is not null from placement in rung.Placements select (rung, placement))
        {
            try
            {
                output.Add(await ladder.MeasureAsync(rung, placement));
            }
            catch (Exception failure) // The other rungs are still measured.
            {
                report.Say($"{rung.Name}, {placement.Name} failed: {failure.GetType().Name}: {failure.Message}");
                report.Fail(1);
            }
        }
        output.Finish();
        return report.ExitCode;
    }

    private async Task<RungResult> MeasureAsync(Rung rung, Placement placement)
    {
        Processors.PinAll(placement.Cores);
        try
        {
            return rung.Open is { } open ? await OnThreadAsync(placement, () => Measure(rung, placement, open(placement))) : await MeasureAcrossAsync(rung, placement);
        }
        finally
        {
            Processors.PinAll();
        }
    }

    private async Task<RungResult> MeasureAcrossAsync(Rung rung, Placement placement)
    {
        string[] programs = [.. rung.IsRemote ? network!.AtTheOtherEnd : [], .. ServerProcess.On(placement.Echoing ?? (placement.Cores is [var only] ? only : null))];
        if (rung.Kind is not { } kind)
        {
            await using var zeroMq = await ServerProcess.StartAsync("zeromq", programs, $"host={(rung.IsRemote ? TestNetwork.EchoAddress : "127.0.0.1")}");
            return await OnThreadAsync(placement, () => Measure(rung, placement, ZeroMq.Across(zeroMq["address"]), zeroMq.Id));
        }
        var path = Path.Combine(Path.GetTempPath(), $"ladder-{Environment.ProcessId}.sock");
        File.Delete(path);
        var at = kind == SocketKind.Unix ? path : rung.IsRemote ? TestNetwork.EchoAddress : "127.0.0.1";
        await using var echo = await ServerProcess.StartAsync("echo", programs, $"kind={kind.Name}", $"address={at}", $"awaited={rung.IsAwaited}");
        var socket = kind.Connect(echo["address"]);
        await echo.AskAsync($"meet {socket.LocalEndPoint}");
        var result = await OnThreadAsync(placement, () => Measure(rung, placement, kind.Open(socket, rung.IsAwaited), echo.Id));
        File.Delete(path);
        return result;
    }

    private RungResult Measure(Rung rung, Placement placement, Ends opened, int? other = null)
    {
        using var ends = opened;
        var turns = plan.TurnsOf(rung, placement);
        for (var warming = Stopwatch.StartNew(); warming.Elapsed < plan.WarmUp;) { ends.Run(turns, new LatencyHistogram()); }
        var (runs, all, most) = (new List<HandOffRun>(), new LatencyHistogram(), plan.Runs(rung.Length));
        var before = Usage.Now(other);
        for (var time = Stopwatch.StartNew(); runs.Count < most && (runs.Count < 2 || time.Elapsed < plan.Budget);) { runs.Add(ends.Run(turns, all)); }
        return new RungResult(rung, placement, turns, runs, all, Usage.Now(other).Since(before));
    }

    // One new thread makes all runs.
    private static Task<RungResult> OnThreadAsync(Placement placement, Func<RungResult> measure) => Task.Factory.StartNew(
        () =>
        {
            if (placement.Asking is { } core) { Processors.Pin(core); }
            return measure();
        },
        TaskCreationOptions.LongRunning);
}
