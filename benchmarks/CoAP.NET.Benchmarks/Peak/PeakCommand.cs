namespace CoAP.Benchmarks;

/// <summary>100,000 options and 1 GB of payload, each method in a process of its own, so that the peak of its memory is its own (case study, table 20).</summary>
internal static class PeakCommand
{
    private const int Options = 100_000;

    public static Task<int> RunAsync(Arguments arguments)
    {
        var settings = RunSettings.Read("peak", arguments);
        arguments.End();
        var report = new Report(settings, "Memory of large messages", "the case study on CoAP.NET (2022), table 20");
        var megabytes = settings.Form.Choose<int[]>([10], [100], [10, 1_000], [1, 10, 100, 1_000]);
        var repeats = settings.Repeats ?? settings.Form.Choose(1, 1, 3, 3);
        var table = new Table(
            "memory", "method", "payload (MB)", "message (MB)", "time (ms)", "additional peak (MB)", "allocated (MB)", "peak to message", "limit", "document (ms, MB)");
        foreach (var (method, size) in from method in PeakMethod.All from size in megabytes select (method, size))
        {
            var runs = Enumerable.Range(0, repeats).Select(_ => Start(method, size, settings.Seed)).ToList();
            var peak = runs.Max(static run => run.Peak);
            var ratio = peak / runs[0].Message;
            if (method.Limit is { } limit && size >= 100 && ratio > limit) { report.Fail(1); }
            table.Add(
                method.Name, $"{size}", Text(runs[0].Message), Text(runs.Min(static run => run.Milliseconds)), Text(peak), Text(runs.Max(static run => run.Allocated)), Text(ratio),
                method.Limit is { } most ? Text(most) : "", size == 1_000 ? method.Document : "");
        }
        report.Add(table);
        return Task.FromResult(report.ExitCode);
    }

    /// <summary>Measures one method. Runs in the process that was started for it.</summary>
    public static Task<int> RunOneAsync(Arguments arguments)
    {
        var (seed, name, size) = (arguments.Count("--seed", 0, int.MaxValue) ?? 0, arguments.Plain(), arguments.Plain());
        var method = PeakMethod.All.First(method => method.Name == name);
        Console.WriteLine(method.Measure(seed, Options, int.Parse(size!, CultureInfo.InvariantCulture) * 1_000_000).ToLine());
        return Task.FromResult(0);
    }

    private static PeakFigures Start(PeakMethod method, int megabytes, int seed)
    {
        string[] own = [typeof(PeakCommand).Assembly.Location, "peak-run", method.Name, $"{megabytes}", "--seed", $"{seed}"];
        using var process = Process.Start(new ProcessStartInfo("dotnet", own) { RedirectStandardOutput = true })!;
        var line = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0 ? PeakFigures.Parse(line) : throw new InvalidOperationException($"{method.Name} with {megabytes} MB ended with {process.ExitCode}.");
    }

    private static string Text(double value) => value.ToString("0.###", CultureInfo.InvariantCulture);
}
