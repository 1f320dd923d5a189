using System.Globalization;
using CoAP.Measurements.HandOffs.Ends;
using CoAP.Measurements.Reporting;

namespace CoAP.Measurements.HandOffs;

/// <summary>The latency ladder: what it takes to hand something to another thread, process or network.</summary>
internal static class HandOffCommand
{
    private const string Document = "the latency ladder (spinlock, semaphore, ZeroMQ in a process, over a local socket and over TCP between containers; Java 21 on a Ryzen 5 4500U)";

    public static async Task<int> RunAsync(RunSettings settings)
    {
        if (!OperatingSystem.IsLinux())
        {
            Console.Error.WriteLine("This measurement pins threads and reads /proc: it runs on Linux only.");
            return 2;
        }
        var report = new Report(settings, "Hand-off latency", Document);
        report.Say(HandOffReport.DescribeTimer());
        report.Say("One way is half a turn-around. Payload: none; a byte where a stream needs one. Ends and objects are the same ones for all runs of a row.");
        report.Say("Processor time and context switches are those of both ends, with user and system time. \"document\": its mean of minima and bounds.");
        var plan = HandOffPlan.Of(settings);
        var output = new HandOffReport(report);
        var rungs = Rung.All.Where(rung => settings.Wants(rung.Name)).ToArray();
        using var network = rungs.Any(static rung => rung.IsRemote) ? TestNetwork.TryMake(out var reason) : Without(out reason);
        if (reason.Length > 0) { report.Say($"Two networks are left out: {reason}"); }
        foreach (var rung in rungs.Where(rung => !rung.IsRemote || network is not null))
        {
            foreach (var placement in rung.Placements) { await MeasureAsync(new RungMeasurement(plan, network), rung, placement, output, report); }
        }
        output.Finish();
        return report.ExitCode;
    }

    private static async Task MeasureAsync(RungMeasurement measurement, Rung rung, Placement placement, HandOffReport output, Report report)
    {
        try
        {
            output.Add(await measurement.MeasureAsync(rung, placement));
        }
        catch (Exception exception) // The other rungs are measured all the same, and the exit code tells.
        {
            report.Say(string.Create(CultureInfo.InvariantCulture, $"{rung.Name}, {placement.Name} failed: {exception.GetType().Name}: {exception.Message}"));
            report.Fail(1);
        }
    }

    private static TestNetwork? Without(out string reason)
    {
        reason = "";
        return null;
    }
}
