using System.ComponentModel;
using System.Text.RegularExpressions;

namespace CoAP.Benchmarks.Load;

/// <summary>A minimal API under the load of <c>wrk</c>, with as many requests in flight as the other runs have.</summary>
internal sealed partial class HttpRuns(Report report, int outstanding)
{
    /// <summary>Measures rounds one after another, and adds their table.</summary>
    public async Task RunAsync(TimeSpan warmUp, TimeSpan time, int rounds)
    {
        await using var process = await ServerProcess.StartAsync("http", ServerProcess.On(Processors.Server));
        var results = new List<(double Rate, double Cpu)>();
        try
        {
            await AskAsync(process, warmUp);
            for (var round = 0; round < rounds; round++) { results.Add(await AskAsync(process, time)); }
        }
        catch (Win32Exception)
        {
            report.Say("The minimal API is left out: wrk is not installed.");
            return;
        }
        var table = Table.OfRuns("handlers-http", "CPU us/request", "form");
        table.Add(["minimal API, synchronous"], new Runs(results.Select(static one => one.Cpu)));
        report.Add(table);
        report.Say($"The minimal API answered {Runs.Format(new Runs(results.Select(static one => one.Rate)).Median)} requests/s (median).");
    }

    private async Task<(double Rate, double Cpu)> AskAsync(ServerProcess server, TimeSpan time)
    {
        var seconds = Math.Max(1, (int)Math.Ceiling(time.TotalSeconds));     // wrk takes whole seconds
        string[] command = [.. ServerProcess.On(Processors.Client), "wrk", "-t1", $"-c{outstanding}", $"-d{seconds}s",
            $"http://127.0.0.1:{server.PortOf("http")}/hello"];
        var before = ProcessUsage.Of(server.Id);
        using var wrk = Process.Start(new ProcessStartInfo(command[0], command[1..]) { RedirectStandardOutput = true })!;
        var text = await wrk.StandardOutput.ReadToEndAsync();
        await wrk.WaitForExitAsync();
        if (CountText().Match(text) is not { Success: true } match) { throw new Win32Exception("wrk reported no requests."); }
        var count = double.Parse(match.Groups["count"].Value, CultureInfo.InvariantCulture);
        return (count / seconds, (ProcessUsage.Of(server.Id)!.Cpu - before!.Cpu).TotalMicroseconds / count);
    }

    [GeneratedRegex(@"(?<count>\d+) requests in")]
    private static partial Regex CountText();
}
