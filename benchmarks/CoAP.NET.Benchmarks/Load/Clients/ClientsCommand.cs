namespace CoAP.Benchmarks.Load;

/// <summary>The calls of a run, the time of requests in flight, the warm-up that is not counted, and the runs in turns.</summary>
internal sealed record ClientPlan(int Calls, TimeSpan Time, TimeSpan WarmUp, int Repeats)
{
    public static ClientPlan Of(RunSettings settings)
    {
        var (calls, time, warmUp, repeats) = settings.Form.Choose((50, 0.05, 0.05, 1), (5_000, 1, 1.5, 3), (20_000, 2, 3, 7), (100_000, 5, 5, 20));
        return new(calls, TimeSpan.FromSeconds(time), TimeSpan.FromSeconds(warmUp), settings.Repeats ?? repeats);
    }
}

/// <summary>The cost of a call for its caller: the sync and the async client beside bare sockets, and many requests in flight from one client.</summary>
internal static class ClientsCommand
{
    public static async Task<int> RunAsync(Arguments arguments)
    {
        var settings = RunSettings.Read("clients", arguments, "roundtrips", "flight");
        arguments.End();
        var report = new Report(settings, "The cost of a call for its caller");
        report.Say($"The server runs on core {Processors.Server}, the client on core {Processors.Client}.");
        await using var server = await ServerProcess.StartAsync("greeting", ServerProcess.On(Processors.Server));
        Processors.PinAll(Processors.Client);
        var plan = ClientPlan.Of(settings);
        if (settings.Wants("roundtrips")) { await new RoundTrips(plan, report, server).RunAsync(); }
        if (settings.Wants("flight")) { await new InFlight(plan, report, server).RunAsync(); }
        Processors.PinAll();
        return report.ExitCode;
    }

    /// <summary>Starts a server that greets.</summary>
    public static Task<IService> ServeAsync(ServiceValues values)
    {
        var greeting = Response.Content("Hello, CoAP!");
        return CoapService.StartAsync(Limits.Server, ["udp", "tcp"], server => server.Resources.At("hello").Get((_, _) => new(greeting)));
    }
}
