namespace CoAP.Fuzzing.Engine;

/// <summary>How long the targets are tried, and with which seed.</summary>
/// <param name="Share">The time of one target.</param>
/// <param name="Seed">The seed of all mutations.</param>
internal sealed record FuzzBudget(TimeSpan Share, int Seed)
{
    /// <summary>One minute for all targets, or COAP_FUZZ_MINUTES (60 by default) where COAP_TESTS=full. COAP_FUZZ_SEED selects the seed.</summary>
    public static FuzzBudget Of(int targets)
    {
        var isFull = Environment.GetEnvironmentVariable("COAP_TESTS") == "full";
        var minutes = isFull ? Number("COAP_FUZZ_MINUTES") ?? 60 : 1;
        // A long run is to find something new each time. An ordinary one is to give the same result twice.
        var seed = Number("COAP_FUZZ_SEED") ?? (isFull ? Random.Shared.Next(1_000_000) : 1);
        return new FuzzBudget(TimeSpan.FromMinutes(minutes) / targets, (int)seed);
    }

    private static double? Number(string variable) =>
        double.TryParse(Environment.GetEnvironmentVariable(variable), CultureInfo.InvariantCulture, out var value) ? value : null;
}
