namespace CoAP.TestSupport;

/// <summary>How much the tests do, selected by the environment variable COAP_TESTS. CONTRIBUTING.md lists what each level adds.</summary>
/// <remarks>
/// Not set: every case, in seconds. "long": also the cases that take longer, at most 3 minutes in all; CI uses it. "full": the long form of all
/// tests that have one, for hours.
/// </remarks>
public static class TestLevel
{
    private static readonly string? Selected = Environment.GetEnvironmentVariable("COAP_TESTS");

    /// <summary>Whether long cases run.</summary>
    public static bool IsLong { get; } = Selected is "long" or "full";

    /// <summary>Whether tests run for hours.</summary>
    public static bool IsFull { get; } = Selected is "full";
}
