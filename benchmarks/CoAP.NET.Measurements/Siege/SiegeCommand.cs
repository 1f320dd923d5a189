using System.Diagnostics;
using System.Globalization;
using CoAP.Measurements.Reporting;
using CoAP.Measurements.Serving;
using CoAP.Measurements.Siege.Attacks;

namespace CoAP.Measurements.Siege;

/// <summary>What bad clients of every kind do to good ones, and what they leave behind in the server.</summary>
internal static class SiegeCommand
{
    private const int ServerCore = 0;
    private static readonly string[] Transports = ["udp", "tcp", "tls", "unix", "ws"];

    public static async Task<int> RunAsync(RunSettings settings)
    {
        if (!OperatingSystem.IsLinux())
        {
            Console.Error.WriteLine("This measurement reads /proc: it runs on Linux only.");
            return 2;
        }
        var plan = SiegePlan.Of(settings);
        var report = new Report(settings, "Bad clients beside good ones", "no document; the fourth thing that the work on reliable transports has to show");
        await using var server = await ServerProcess.StartAsync(ServerCore, "service=siege", $"mode={settings.Values.GetValueOrDefault("mode", "async")}");
        var clientCore = Environment.ProcessorCount > 1 ? 1 : ServerCore;
        await using var attacker = await ServerProcess.StartAsync(clientCore, AttackerValues(server, plan));
        LeaveCoreToServer();
        Describe(report, plan, clientCore);
        using var tcp = Prober.Tcp(int.Parse(server["tcp"], CultureInfo.InvariantCulture));
        using var udp = Prober.Udp(int.Parse(server["udp"], CultureInfo.InvariantCulture));
        await AttackAsync(settings, report, new SiegeRun(plan, server, attacker, [tcp, udp]), [tcp, udp]);
        return report.ExitCode;
    }

    private static async Task AttackAsync(RunSettings settings, Report report, SiegeRun run, IReadOnlyList<Prober> probers)
    {
        Attack[] attacks = [.. AttackService.All(new Target(new Dictionary<string, string>(), 0, 0, 0)).Where(attack => settings.Wants(attack.Name))];
        var warmUp = settings.Form == RunForm.Dry ? TimeSpan.FromSeconds(0.1) : TimeSpan.FromSeconds(1);
        await run.ProbeAsync(run.NewLatencies(), Task.Delay(warmUp));
        // The first attack of a kind has code compiled and tables grown, which stay: each is made once without being measured.
        foreach (var attack in attacks.Where(static attack => attack.IsRehearsed)) { await run.RehearseAsync(attack); }
        var tables = new SiegeTables(probers);
        foreach (var attack in attacks) { tables.Add(await run.RunAsync(attack)); }
        tables.Print(report);
    }

    private static string[] AttackerValues(ServerProcess server, SiegePlan plan) =>
    [
        "service=attacker", .. Transports.Select(transport => $"{transport}={server[transport]}"),
        string.Create(CultureInfo.InvariantCulture, $"flood={plan.RateOf(plan.Flood)}"),
        string.Create(CultureInfo.InvariantCulture, $"handshakes={plan.RateOf(plan.Handshakes)}"),
        string.Create(CultureInfo.InvariantCulture, $"standing={plan.Standing}"),
    ];

    private static void Describe(Report report, SiegePlan plan, int clientCore)
    {
        report.Say(string.Create(CultureInfo.InvariantCulture, $"The server runs on core {ServerCore}, all clients on core {clientCore}; the attacker's threads yield to the others. ")
            + string.Create(CultureInfo.InvariantCulture, $"Others ask for /hello every {Prober.Interval.TotalMilliseconds} ms over TCP and over UDP; {plan.Rounds} quiet and {plan.Rounds} attacked stretches in turn, {plan.Time.TotalSeconds} s each."));
        report.Say(string.Create(CultureInfo.InvariantCulture, $"A flood is {plan.RateOf(plan.Flood):N0} connections a second, TLS and WebSocket {plan.RateOf(plan.Handshakes):N0}; {plan.Standing:N0} connections are held. ")
            + string.Create(CultureInfo.InvariantCulture, $"The server's limits of time are {SiegeService.Patience.TotalSeconds} s, so that they pass within the run."));
    }

    // The servers were started before, so that they do not inherit it.
    private static void LeaveCoreToServer()
    {
        if (OperatingSystem.IsLinux() && Environment.ProcessorCount > 1)
        {
            using var self = Process.GetCurrentProcess();
            self.ProcessorAffinity = ((nint)1 << Environment.ProcessorCount) - 1 - ((nint)1 << ServerCore);
        }
    }
}
