using System.Diagnostics;
using System.Globalization;
using CoAP.Benchmarks.Suite;
using CoAP.Measurements.Reporting;

namespace CoAP.Benchmarks.Peak;

/// <summary>100,000 options and 1 GB of payload, each method in a process of its own, so that the peak of its memory is its own (case study, table 20).</summary>
internal static class PeakCommand
{
    private const int Options = 100_000;
    private static readonly string[] Columns =
        ["method", "payload (MB)", "message (MB)", "time (ms)", "peak above what was there (MB)", "allocated (MB)", "peak to message", "limit", "document (ms)", "document (MB)"];

    public static int Run(SuiteSettings settings)
    {
        var report = new SuiteReport(settings);
        int[] megabytes = settings.Form switch
        {
            RunForm.Dry => [10],
            RunForm.Quick => [100],
            RunForm.Usual => [10, 1_000],
            _ => [1, 10, 100, 1_000],
        };
        var repeats = settings.Form is RunForm.Dry or RunForm.Quick ? 1 : 3;
        var table = new Table("peak", Columns);
        var failed = false;
        foreach (var method in PeakMethod.All)
        {
            foreach (var size in megabytes)
            {
                var runs = Enumerable.Range(0, repeats).Select(_ => Start(method, size, settings.Seed)).ToList();
                var (time, peak) = (runs.Min(run => run.Milliseconds), runs.Max(run => run.Peak));
                var ratio = peak / runs[0].Message;
                failed |= method.Limit is { } limit && size >= 100 && ratio > limit;
                table.Add(
                    method.Name, Text(size), Text(runs[0].Message), Text(time), Text(peak), Text(runs.Max(run => run.Allocated)), Text(ratio),
                    method.Limit is { } most ? Text(most) : "", size == 1_000 ? method.DocumentTime : "", size == 1_000 ? method.DocumentMemory : "");
            }
        }
        report.Add(table);
        return failed ? 1 : 0;
    }

    /// <summary>What the process that was started for it does.</summary>
    public static int RunOne(SuiteSettings settings)
    {
        if (settings.Words is not [var name, var size] || PeakMethod.All.FirstOrDefault(method => method.Name == name) is not { } method) { return 2; }
        var payload = int.Parse(size, CultureInfo.InvariantCulture) * 1_000_000;
        Console.WriteLine(method.Measure(settings.Seed, Options, payload).ToLine());
        return 0;
    }

    private static PeakFigures Start(PeakMethod method, int megabytes, int seed)
    {
        string[] own = [typeof(PeakCommand).Assembly.Location, "peak-run", method.Name, Text(megabytes), "--seed", Text(seed)];
        using var process = Process.Start(new ProcessStartInfo("dotnet", own) { RedirectStandardOutput = true })!;
        var line = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0 ? PeakFigures.Parse(line) : throw new InvalidOperationException($"{method.Name} with {megabytes} MB ended with {process.ExitCode}.");
    }

    private static string Text(double value) => value.ToString("0.###", CultureInfo.InvariantCulture);
}
