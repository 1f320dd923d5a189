using CoAP.TestSupport;

namespace CoAP.Fuzzing.Engine;

/// <summary>How long the targets are tried, and with which seed.</summary>
/// <param name="Share">The time of one target.</param>
/// <param name="Seed">The seed of all mutations.</param>
internal sealed record FuzzBudget(TimeSpan Share, int Seed)
{
    private const double Normal = 0.25;
    private const double Long = 1;
    private const double Full = 60;

    /// <summary>
    /// 15 seconds for all targets; one minute if COAP_TESTS=long; COAP_FUZZ_MINUTES (default: 60) if COAP_TESTS=full. COAP_FUZZ_SEED selects
    /// the seed.
    /// </summary>
    public static FuzzBudget Of(int targets)
    {
        var minutes = TestLevel.IsFull ? Number("COAP_FUZZ_MINUTES") ?? Full : TestLevel.IsLong ? Long : Normal;
        // A long run is to find something new each time. An ordinary one is to give the same result twice.
        var seed = Number("COAP_FUZZ_SEED") ?? (TestLevel.IsFull ? Random.Shared.Next(1_000_000) : 1);
        return new FuzzBudget(TimeSpan.FromMinutes(minutes) / targets, (int)seed);
    }

    private static double? Number(string variable) =>
        double.TryParse(Environment.GetEnvironmentVariable(variable), CultureInfo.InvariantCulture, out var value) ? value : null;
}
