namespace CoAP.Benchmarks.Load;

/// <summary>What it costs to keep the states of many observers fresh: the server repeats them before Max-Age ends, or the clients register again after it.</summary>
internal static class ObserversCommand
{
    public static async Task<int> RunAsync(Arguments arguments)
    {
        var settings = RunSettings.Read("observers", arguments, "refresh", "register", "silent");
        arguments.End();
        var report = new Report(settings, "The cost of states that expire, for a server with many observers");
        var plan = ObserversPlan.Of(settings.Form);
        report.Say($"{plan.Clients * plan.PerClient:N0} observers of {plan.Clients} clients with an address each. Max-Age is {plan.MaxAge.TotalSeconds} s.");
        report.Say($"The server runs on core {Processors.Server}, the clients on core {Processors.Client}. Measured for {plan.Time.TotalSeconds} s.");
        var table = new Table("cost", "server", "states/s", "most in a second", "cores of the server", "µs of processor time per state", "handler calls", "expired", "MiB");
        var chart = new Chart("observers", "States that observers received", "seconds", "states in a second") { IsLogAcross = false };
        foreach (var part in new[] { "silent", "register", "refresh" }.Where(settings.Wants))
        {
            report.Fail(await RunPartAsync(part, plan, table, chart));
        }
        report.Add(table);
        report.Add(chart);
        return report.ExitCode;
    }

    /// <summary>Starts a server with one resource.</summary>
    public static Task<IService> ServeAsync(ServiceValues values)
    {
        var calls = 0L;
        var state = new CoapResponse(ResponseCode.Content) { Options = [new MaxAge((uint)values.Number("age"))], Payload = "22.3 C"u8.ToArray() };
        var settings = Limits.Server with
        {
            ServerObservations = new() { MaxObservations = 1_000_000, MinRefreshedAge = values["refresh"] == "yes" ? TimeSpan.FromSeconds(1) : null },
        };
        return CoapService.StartAsync(settings, ["udp"], server => server.Resources.At("state").Observable().Get(_ =>
        {
            Interlocked.Increment(ref calls);
            return state;
        }, HandlerMode.Inline), _ => $"{Interlocked.Read(ref calls)}");
    }

    // "silent": Max-Age is so long that nothing expires, so the figures are what an idle server with these observers costs.
    private static async Task<long> RunPartAsync(string part, ObserversPlan plan, Table table, Chart chart)
    {
        var age = part == "silent" ? TimeSpan.FromDays(1) : plan.MaxAge;
        await using var server = await ServerProcess.StartAsync(
            "observers", ServerProcess.On(Processors.Server), $"age={age.TotalSeconds}", $"refresh={(part == "refresh" ? "yes" : "no")}");
        Processors.PinAll(Processors.Client);
        await using var observers = new ObservingClients(plan, $"coap://127.0.0.1:{server.PortOf("udp")}/state");
        await observers.RegisterAsync();
        await Task.Delay(plan.Settle);

        var calls = await server.AskNumberAsync("calls");
        var usage = ProcessUsage.Of(server.Id);
        var states = await observers.CountAsync(plan.Time);
        var after = ProcessUsage.Of(server.Id);
        calls = await server.AskNumberAsync("calls") - calls;

        var sum = states.Sum();
        var used = after.Cpu - usage.Cpu;
        table.Add(
            part, Runs.Format(sum / plan.Time.TotalSeconds), $"{states.Max()}", Runs.Format(used / plan.Time), sum == 0 ? "" : Runs.Format(used.TotalMicroseconds / sum),
            $"{calls}", $"{observers.Expired}", $"{after.Resident >> 20}");
        chart.Add(part, states.Select(static (count, second) => ((double)second, (double)count)));
        Processors.PinAll();
        return observers.Failed + (part == "refresh" && sum == 0 ? 1 : 0);
    }
}
