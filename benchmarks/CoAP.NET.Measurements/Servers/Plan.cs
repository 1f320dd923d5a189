using CoAP.Measurements.Reporting;

namespace CoAP.Measurements.Servers;

/// <summary>How much is measured in each form of the run.</summary>
/// <param name="Connections">The numbers of connections that ask.</param>
/// <param name="Idle">The numbers of connections whose memory is measured.</param>
/// <param name="Handlers">The handlers that wait.</param>
/// <param name="Time">How long one run asks.</param>
/// <param name="WarmUp">How long is asked before that without being counted.</param>
/// <param name="Repeats">The runs of each.</param>
internal sealed record Plan(int[] Connections, int[] Idle, string[] Handlers, TimeSpan Time, TimeSpan WarmUp, int Repeats)
{
    public static Plan Of(RunSettings settings)
    {
        var plan = settings.Form.Choose(Dry, Quick, Usual, Full);
        return settings.Repeats is { } repeats ? plan with { Repeats = repeats } : plan;
    }

    private static string[] AllHandlers => ["db1", "db10", "db100", "all", "first", "compute", "foreign"];

    private static Plan Dry => new([1, 20], [20, 40], ["db1"], Seconds(0.1), Seconds(0.1), 1);

    private static Plan Quick => new([1, 1_000], [500, 2_000], ["db10", "foreign"], Seconds(0.5), Seconds(0.2), 1);

    private static Plan Usual => new([1, 10, 100, 1_000, 10_000, 18_000], [1_000, 6_000, 12_000, 18_000], AllHandlers, Seconds(1.5), Seconds(0.5), 3);

    private static Plan Full => new(
        [1, 10, 100, 1_000, 5_000, 10_000, 15_000, 18_000], [1_000, 3_000, 6_000, 9_000, 12_000, 15_000, 18_000], AllHandlers, Seconds(5), Seconds(1), 5);

    private static TimeSpan Seconds(double seconds) => TimeSpan.FromSeconds(seconds);
}
