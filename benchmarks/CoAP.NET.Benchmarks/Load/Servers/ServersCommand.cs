namespace CoAP.Benchmarks.Load;

/// <summary>The connections that ask, the idle ones whose memory is measured, the handlers that wait, the time of a run and its warm-up, and the runs.</summary>
internal sealed record ServersPlan(int[] Connections, int[] Idle, string[] Handlers, TimeSpan Time, TimeSpan WarmUp, int Repeats)
{
    /// <summary>The time after which the memory of new connections is read.</summary>
    public TimeSpan Settling { get; private init; } = TimeSpan.FromSeconds(0.5);

    private static readonly string[] AllHandlers = ["db1", "db10", "db100", "all", "first", "compute", "foreign"];

    public static ServersPlan Of(RunSettings settings)
    {
        var plan = settings.Form switch
        {
            RunForm.Dry => Plan([1, 20], [20, 40], ["db1"], 0.05, 0.02, 1) with { Settling = TimeSpan.Zero },
            RunForm.Quick => Plan([1, 1_000], [500, 2_000], ["db10", "foreign"], 0.5, 0.2, 1),
            RunForm.Usual => Plan([1, 10, 100, 1_000, 10_000, 18_000], [1_000, 6_000, 12_000, 18_000], AllHandlers, 1.5, 0.5, 3),
            _ => Plan([1, 10, 100, 1_000, 5_000, 10_000, 15_000, 18_000], [1_000, 3_000, 6_000, 9_000, 12_000, 15_000, 18_000], AllHandlers, 5, 1, 5),
        };
        return settings.Repeats is { } repeats ? plan with { Repeats = repeats } : plan;
    }

    private static ServersPlan Plan(int[] connections, int[] idle, string[] handlers, double time, double warmUp, int repeats) =>
        new(connections, idle, handlers, TimeSpan.FromSeconds(time), TimeSpan.FromSeconds(warmUp), repeats);
}

/// <summary>Sync against async servers: a reverse echo on bare sockets and over CoAP, the memory of idle connections, and handlers that wait.</summary>
internal static class ServersCommand
{
    public static async Task<int> RunAsync(Arguments arguments)
    {
        var settings = RunSettings.Read("servers", arguments, "echo", "memory", "waiting");
        arguments.End();
        var plan = ServersPlan.Of(settings);
        var report = new Report(settings, "Sync against async servers", "\"Performance of synchronous and asynchronous I/O in network applications\" (parallel 2015)");
        report.Say("Client and server are two processes on one machine. No processor is reserved for either.");
        report.Say("The talk: 500,000 connections on each of two machines with 2 x 10 cores, C++ with Boost.Asio. Blocking: 3-e system calls to receive, 1 to send, ");
        report.Say("1-e thread switches. Async: 2+e to receive, 1+e to send, 1 task switch each. Its pictures are not in the text that is left of it.");
        if (settings.Wants("echo")) { await new EchoRuns(plan, report).RunAsync(); }
        if (settings.Wants("memory")) { await new MemoryRuns(plan, report).RunAsync(); }
        if (settings.Wants("waiting")) { await new WaitingRuns(plan, report).RunAsync(); }
        return report.ExitCode;
    }
}
