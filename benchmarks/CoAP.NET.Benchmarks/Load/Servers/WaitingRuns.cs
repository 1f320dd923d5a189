namespace CoAP.Benchmarks.Load;

/// <summary>Handlers that wait, compute or block, and their effect on a quick resource.</summary>
internal sealed class WaitingRuns(ServersPlan plan, Report report)
{
    private const int Askers = 64, Greeters = 8, GreetingsEach = 100;
    private const string Nothing = "nothing";

    private readonly Table _table = new("waiting", "handler", "model", "requests/s", "p99 ms", "p99 of /hello ms", "CPU us/request", "answers", "failed");

    public async Task RunAsync()
    {
        foreach (var (handler, form) in from handler in plan.Handlers.Prepend(Nothing) from form in ServerForm.Waiting select (handler, form)) { await RunAsync(handler, form); }
        report.Say("");
        report.Say($"{Askers} connections ask for the handler without a pause, {Greeters} others for /hello {GreetingsEach} times a second each, on schedule.");
        report.Say($"4 upstreams: 10 ms each; first of two: 10 and 30 ms; mixed: {ServersService.MixedThreads} handler threads, the others have the default number.");
        report.Add(_table);
    }

    private async Task RunAsync(string handler, ServerForm form)
    {
        await using var server = await form.StartAsync();
        var hello = ServerForm.Echo(server, Greeters) with
        {
            Method = LoadSettings.Get,
            Path = "hello",
            Payload = [],
            Expected = [],
            Rate = Greeters * GreetingsEach,
            WarmUp = plan.WarmUp,
            Duration = plan.Time,
        };
        var slow = hello with { Path = handler, Sockets = Askers, Rate = null };
        var runs = Enumerable.Range(0, plan.Repeats).Select(_ => handler == Nothing ? Load.RunTogether(hello) : Load.RunTogether(hello, slow)).ToArray();
        string Middle(Func<LoadResult, double> value, int load = 1) => load < runs[0].Length ? Runs.Format(new Runs(runs.Select(run => value(run[load]))).Median) : "";
        var failed = runs.Sum(static run => run.Sum(static one => one.Failed));
        report.Fail(failed);
        _table.Add(
            Describe(handler), form.Name, Middle(static run => run.Rate), Middle(static run => run.Microseconds(0.99) / 1000), Middle(static run => run.Microseconds(0.99) / 1000, load: 0),
            Middle(static run => run.CpuPerAnswer), $"{runs.Sum(static run => run[^1].Tally.Good)}", $"{failed}");
    }

    private static string Describe(string handler) => handler switch
    {
        Nothing => "none, /hello alone",
        "all" => "4 upstreams",
        "first" => "first of two",
        "compute" => "10 ms computing",
        "foreign" => "10 ms blocking code",
        _ => $"{handler[2..]} ms database",
    };
}
