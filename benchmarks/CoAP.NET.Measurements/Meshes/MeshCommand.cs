using CoAP.Measurements.Reporting;

namespace CoAP.Measurements.Meshes;

/// <summary>What stages cost inline and buffered, alone and in a whole server.</summary>
internal static class MeshCommand
{
    private const string Document = "the mixed form of the case study on the first CoAP.NET (small messages inline, those over 2,048 bytes buffered), which gives no figures for it";

    public static async Task<int> RunAsync(RunSettings settings)
    {
        if (!OperatingSystem.IsLinux())
        {
            Console.Error.WriteLine("This measurement pins threads and reads /proc: it runs on Linux only.");
            return 2;
        }
        var plan = MeshPlan.Of(settings);
        var report = new Report(settings, "The mesh: inline and buffered stages", Document);
        report.Say("Servers are processes of their own over UDP on the loopback address, on one core with the generator on the other, unless a table says otherwise.");
        report.Say(plan.Describe());
        report.Say($"Forms are measured in turns, {plan.Rounds} rounds; a run of a server takes {plan.Time.TotalSeconds} s. Processor time is that of all of its threads.");
        var servers = new ServerRuns(plan, report);
        if (settings.Wants("stages")) { new ChainRuns(plan, report).Run(); }
        if (settings.Wants("server")) { await servers.StagesAsync(); }
        if (settings.Wants("sizes")) { await servers.SizesAsync(); }
        if (settings.Wants("thresholds")) { await servers.ThresholdsAsync(); }
        if (settings.Wants("lanes")) { await servers.LanesAsync(); }
        return report.ExitCode;
    }
}
