using System.Globalization;
using CoAP.Benchmarks.Suite;
using CoAP.Measurements.Reporting;

namespace CoAP.Benchmarks.Checks;

/// <summary>What does not depend on the machine: bytes, calls into the system, growth with size, and ratios that are off by a factor of three.</summary>
internal static class ChecksCommand
{
    public static int Run(SuiteSettings settings)
    {
        Directory.CreateDirectory(settings.Output);
        Console.WriteLine($"# checks, seed {settings.Seed}");
        Console.WriteLine($"Machine: {Machine.Describe()}");
        Alternation.IsThorough = settings.Form == SuiteForm.Full;
        var parts = new Dictionary<string, Func<IEnumerable<Check>>>
        {
            ["small"] = CodecChecks.Small,
            ["large"] = () => CodecChecks.Large(settings.Seed),
            ["growth"] = () => CodecChecks.Growth(settings.Seed),
            ["requests"] = RequestChecks.All,
        };
        var checks = parts.Where(part => settings.Words.Count == 0 || settings.Words.Contains(part.Key)).SelectMany(part => part.Value()).ToList();
        var table = new Table("checks", "what", "value", "unit", "ours / baseline (ns)", "target", "fails above", "verdict");
        foreach (var check in checks.OrderBy(check => check.Unit))
        {
            var verdict = !check.IsPassed ? "FAILED" : check.IsOnTarget ? "on target" : "passed, not on target here";
            table.Add(check.What, Text(check.Value), check.Unit, check.Times, Text(check.Target), Text(check.Limit), verdict);
        }
        table.Print(Console.Out);
        CsvFile.Write(Path.Combine(settings.Output, "checks.csv"), table);
        var failed = checks.Count(check => !check.IsPassed);
        Console.WriteLine($"{checks.Count - failed} held, {failed} did not");
        return failed == 0 ? 0 : 1;
    }

    private static string Text(double value) => value.ToString("0.###", CultureInfo.InvariantCulture);
}
