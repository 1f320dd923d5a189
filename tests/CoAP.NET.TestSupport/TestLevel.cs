namespace CoAP.TestSupport;

/// <summary>How much the tests do, selected by the environment variable COAP_TESTS. CONTRIBUTING.md lists what each level adds.</summary>
/// <remarks>
/// Not set: the short form of all tests, without the soak test. "long": the fuzz targets share a minute instead of 15 seconds; CI uses it.
/// "full": the longest form of all tests that have one, and the soak test, for hours.
/// </remarks>
public static class TestLevel
{
    private static readonly string? Selected = Environment.GetEnvironmentVariable("COAP_TESTS");

    /// <summary>Whether the fuzz targets get a minute instead of 15 seconds.</summary>
    public static bool IsLong { get; } = Selected is "long" or "full";

    /// <summary>Whether tests run in their longest form, for hours.</summary>
    public static bool IsFull { get; } = Selected is "full";
}
