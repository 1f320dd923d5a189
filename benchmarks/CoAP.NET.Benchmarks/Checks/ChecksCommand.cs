using System.Globalization;
using CoAP.Benchmarks.Suite;
using CoAP.Measurements.Reporting;

namespace CoAP.Benchmarks.Checks;

/// <summary>What does not depend on the machine: bytes, calls into the system, growth with size, and ratios that are off by a factor of three.</summary>
internal static class ChecksCommand
{
    /// <summary>What can be asked for by name.</summary>
    public static IReadOnlyList<string> Parts { get; } = ["small", "large", "growth", "requests"];

    public static async Task<int> RunAsync(SuiteSettings settings)
    {
        var report = new SuiteReport(settings);
        var codec = new CodecChecks(settings.Seed, isThorough: settings.Form == RunForm.Full);
        var checks = new List<Check>();
        foreach (var part in settings.Words.Count == 0 ? Parts : Parts.Where(settings.Words.Contains)) { checks.AddRange(await MeasureAsync(part, codec)); }
        var table = new Table("checks", "what", "value", "unit", "ours / baseline (ns)", "target", "fails above", "verdict");
        foreach (var check in checks.OrderBy(check => check.Unit))
        {
            var verdict = !check.IsPassed ? "FAILED" : check.IsOnTarget ? "on target" : "passed, not on target here";
            table.Add(check.What, Text(check.Value), check.Unit, check.Times, Text(check.Target), Text(check.Limit), verdict);
        }
        report.Add(table);
        var failed = checks.Count(check => !check.IsPassed);
        Console.WriteLine($"{checks.Count - failed} held, {failed} did not");
        return failed == 0 ? 0 : 1;
    }

    private static async Task<IEnumerable<Check>> MeasureAsync(string part, CodecChecks codec) => part switch
    {
        "small" => await codec.Small().ToListAsync(),
        "large" => await codec.Large().ToListAsync(),
        "growth" => await codec.Growth().ToListAsync(),
        _ => RequestChecks.All(),
    };

    private static string Text(double value) => value.ToString("0.###", CultureInfo.InvariantCulture);
}
