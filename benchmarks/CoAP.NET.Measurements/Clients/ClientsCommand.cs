using CoAP.Measurements.Machines;
using CoAP.Measurements.Reporting;
using CoAP.Measurements.Serving;

namespace CoAP.Measurements.Clients;

/// <summary>What a call costs its caller: the sync and the async client beside bare sockets, and many requests in flight from one client.</summary>
internal static class ClientsCommand
{
    public static async Task<int> RunAsync(RunSettings settings)
    {
        var report = new Report(settings, "Clients", "no document: bare sockets in the same run");
        var cores = Cores.Divide();
        report.Say(cores is { } pinned ? $"The server has core {pinned.Server} to itself, the client core {pinned.Client}." : "Nothing is pinned.");
        report.Say("Nobody spins: every wait is a wait in the system, with what the runtime's locks and thread pool do by default before they sleep.");
        await using var server = await ServerProcess.StartAsync(cores?.Server, "service=greeting");
        var plan = ClientPlan.Of(settings);
        if (settings.Wants("roundtrips")) { await new RoundTrips(plan, report, server).RunAsync(); }
        if (settings.Wants("flight")) { await new InFlight(plan, report, server).RunAsync(); }
        return report.ExitCode;
    }
}

/// <summary>How much is measured.</summary>
/// <param name="Calls">The calls of one run, one after another.</param>
/// <param name="Time">How long requests are kept in flight.</param>
/// <param name="WarmUp">How long everything is done before that without being counted.</param>
/// <param name="Repeats">The runs of each form, in turns.</param>
internal sealed record ClientPlan(int Calls, TimeSpan Time, TimeSpan WarmUp, int Repeats)
{
    public static ClientPlan Of(RunSettings settings)
    {
        var plan = settings.Form.Choose(Dry, Quick, Usual, Full);
        return settings.Repeats is { } repeats ? plan with { Repeats = repeats } : plan;
    }

    private static ClientPlan Dry => new(50, TimeSpan.FromSeconds(0.05), TimeSpan.FromSeconds(0.05), 1);

    private static ClientPlan Quick => new(5_000, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1.5), 3);

    private static ClientPlan Usual => new(20_000, TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(3), 7);

    private static ClientPlan Full => new(100_000, TimeSpan.FromSeconds(5), TimeSpan.FromSeconds(5), 20);
}
