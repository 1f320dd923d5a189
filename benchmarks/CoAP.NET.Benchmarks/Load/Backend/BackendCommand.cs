namespace CoAP.Benchmarks.Load;

/// <summary>Readings of many controllers to the sample backend: how many a second, the memory, and whether each acknowledged one is stored once.</summary>
internal static class BackendCommand
{
    /// <summary>The most devices, which is also the most controllers of the backend.</summary>
    public const int MostDevices = 10_000;

    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(10), Drain = TimeSpan.FromSeconds(30), Slice = TimeSpan.FromSeconds(1);

    public static async Task<int> RunAsync(Arguments arguments)
    {
        var connectionString = arguments.Text("--connection", "a connection string of PostgreSQL");
        var (time, kill) = (arguments.Seconds("--seconds", 1) ?? TimeSpan.FromSeconds(60), arguments.Seconds("--kill", 1));
        var (devices, perRequest) = (arguments.Count("--devices", 1, MostDevices) ?? 1000, arguments.Count("--readings", 1, 100) ?? 1);
        var (rate, csv) = (arguments.Number("--rate", 1, int.MaxValue), arguments.Text("--csv", "a file"));
        var program = arguments.Text("--sample", "a Backend.dll") ?? Peer.FindSample("Backend");
        arguments.End();
        if (program is null) { throw new UsageException("Backend.dll is not built; build samples/Backend or name it with --sample."); }
        if (kill is not null && connectionString is null) { throw new UsageException("--kill needs --connection: the store in memory is empty after a restart."); }

        using var backend = new BackendProcess(program, connectionString);
        await backend.StoredAsync();
        using var load = new ReportingLoad($"load-{DateTime.UtcNow.Ticks:x}", backend.Server, devices, perRequest, rate);
        load.Run(WarmUp, TimeSpan.Zero);
        load.Reset();
        var run = Measure(backend, load, time, kill);
        load.Run(TimeSpan.Zero, Drain);
        var checks = BackendCheck.Of(load, perRequest, await backend.StoredAsync());
        var table = ToTable(load, run, perRequest, checks);
        table.Print(Console.Out);
        if (csv is not null) { table.Save(csv); }
        return checks.IsGood && load.Good > 0 ? 0 : 1;
    }

    private static Outcome Measure(BackendProcess backend, ReportingLoad load, TimeSpan time, TimeSpan? kill)
    {
        var (watch, killed, kills) = (Stopwatch.StartNew(), TimeSpan.Zero, 0);
        var (before, generator) = (ProcessUsage.Of(backend.Id), ProcessUsage.Of(Environment.ProcessId));
        var memory = new List<long>();
        while (watch.Elapsed < time)
        {
            load.Run(Slice, TimeSpan.Zero);
            if (kill is { } period && watch.Elapsed - killed >= period)
            {
                backend.Restart();
                (killed, kills) = (watch.Elapsed, kills + 1);
            }
            memory.Add(ProcessMemory.Resident($"{backend.Id}"));
        }
        var (after, taken) = (ProcessUsage.Of(backend.Id), watch.Elapsed);
        return new(taken, kills > 0 ? null : after.Cpu - before.Cpu, ProcessUsage.Of(Environment.ProcessId).Cpu - generator.Cpu, memory, kills, load.Good);
    }

    private static Table ToTable(ReportingLoad load, Outcome run, int perRequest, BackendCheck check)
    {
        var table = new Table("backend", "figure", "value");
        var seconds = run.Time.TotalSeconds;
        table.Add("devices, readings in a request", $"{load.Devices.Count}, {perRequest}");
        table.Add("seconds", Runs.Format(seconds));
        table.Add("acknowledged readings/s", Runs.Format(run.Good * perRequest / seconds));
        table.Add("acknowledged requests/s", Runs.Format(run.Good / seconds));
        foreach (var share in new[] { 0.5, 0.99, 0.999 }) { table.Add($"p{share * 100} ms", Runs.Format(load.Latencies.Percentile(share) / 1e6)); }
        table.Add("max ms", Runs.Format(load.Latencies.Max / 1e6));
        table.Add("sent again", $"{load.Repeated}");
        table.Add("refused", string.Join(' ', load.Refused.Select(static one => $"{one.Key}:{one.Value}")));
        if (run.Cpu is { } cpu)
        {
            table.Add("backend, cores", Runs.Format(cpu / run.Time));
            table.Add("backend, CPU us/request", Runs.Format(cpu.TotalMicroseconds / run.Good));
        }
        table.Add("generator, cores", Runs.Format(run.GeneratorCpu / run.Time));
        table.Add("resident MiB: start, middle, end, most", string.Join(", ", new[] { run.Memory[0], run.Memory[run.Memory.Count / 2], run.Memory[^1], run.Memory.Max() }.Select(static bytes => $"{bytes >> 20}")));
        table.Add("kills of the backend", $"{run.Kills}");
        table.Add("acknowledged in all, stored", $"{check.Acknowledged}, {check.Stored}");
        table.Add("acknowledged and missing", $"{check.Missing}");
        table.Add("stored and never sent, or twice", $"{check.Surplus}");
        return table;
    }

    /// <param name="Time">The measured time.</param>
    /// <param name="Cpu">The processor time of the backend; <see langword="null"/> if it was killed.</param>
    /// <param name="GeneratorCpu">The processor time of the generator.</param>
    /// <param name="Memory">The resident memory of the backend after each second.</param>
    /// <param name="Kills">How often the backend was killed.</param>
    /// <param name="Good">The requests that were acknowledged in the measured time.</param>
    private sealed record Outcome(TimeSpan Time, TimeSpan? Cpu, TimeSpan GeneratorCpu, IReadOnlyList<long> Memory, int Kills, long Good);
}
