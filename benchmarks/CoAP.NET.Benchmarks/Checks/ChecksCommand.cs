namespace CoAP.Benchmarks;

/// <summary>What does not depend on the machine: bytes, system calls, growth with size, and time ratios with a tolerance of three.</summary>
internal static class ChecksCommand
{
    private static readonly string[] Parts = ["small", "large", "growth", "calls"];

    public static async Task<int> RunAsync(Arguments arguments)
    {
        var settings = RunSettings.Read("checks", arguments, Parts);
        arguments.End();
        var report = new Report(settings, "Speed checks");
        var codec = new CodecChecks(settings.Seed, settings.Form);
        var checks = new List<Check>();
        foreach (var part in Parts.Where(settings.Wants)) { checks.AddRange(await MeasureAsync(part, codec)); }
        var table = new Table("figures", "what", "value", "unit", "ours / baseline (ns)", "target", "fails above", "verdict");
        foreach (var check in checks.OrderBy(static check => check.Unit))
        {
            var verdict = !check.IsPassed ? "FAILED" : check.IsOnTarget ? "on target" : "passed, not on target here";
            table.Add(check.What, Text(check.Value), check.Unit, check.Times, Text(check.Target), Text(check.Limit), verdict);
        }
        report.Add(table);
        report.Fail(checks.Count(static check => !check.IsPassed));
        report.Say($"{checks.Count(static check => check.IsPassed)} held, {checks.Count(static check => !check.IsPassed)} did not");
        return report.ExitCode;
    }

    private static async Task<IEnumerable<Check>> MeasureAsync(string part, CodecChecks codec) => part switch
    {
        "small" => await codec.Small().ToListAsync(),
        "large" => await codec.Large().ToListAsync(),
        "growth" => await codec.Growth().ToListAsync(),
        _ => CallChecks.All(),
    };

    private static string Text(double value) => value.ToString("0.###", CultureInfo.InvariantCulture);
}
