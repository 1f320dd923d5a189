using CoAP.Measurements.Reporting;

namespace CoAP.Measurements.Meshes;

/// <summary>How much is measured.</summary>
/// <param name="Messages">That go through a chain of stages in one run.</param>
/// <param name="Time">How long a server is asked in one run.</param>
/// <param name="WarmUp">How long before that without being counted.</param>
/// <param name="Rounds">All forms in turns, so many times.</param>
/// <param name="IsCompiledAhead">Whether the server's code is compiled in full when it is first called, instead of after a while of load.</param>
internal sealed record MeshPlan(int Messages, TimeSpan Time, TimeSpan WarmUp, int Rounds, bool IsCompiledAhead)
{
    public static MeshPlan Of(RunSettings settings)
    {
        var plan = settings.Form.Choose(Dry, Quick, Usual, Full);
        return settings.Repeats is { } repeats ? plan with { Rounds = repeats } : plan;
    }

    public string Describe() => IsCompiledAhead
        ? $"Servers run with DOTNET_TieredCompilation=0, that is compiled in full from the first call on, all alike; warm-up {WarmUp.TotalSeconds} s."
        : $"Servers run with the runtime's default settings, all alike; each is warmed up with {WarmUp.TotalSeconds} s of full load before anything is counted.";

    private static MeshPlan Dry => new(2_000, TimeSpan.FromSeconds(0.1), TimeSpan.FromSeconds(0.05), 1, false);

    private static MeshPlan Quick => new(50_000, TimeSpan.FromSeconds(0.2), TimeSpan.FromSeconds(0.2), 2, true);

    private static MeshPlan Usual => new(200_000, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(12), 7, false);

    private static MeshPlan Full => new(1_000_000, TimeSpan.FromSeconds(5), TimeSpan.FromSeconds(15), 20, false);
}
