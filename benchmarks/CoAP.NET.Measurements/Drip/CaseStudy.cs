namespace CoAP.Measurements.Drip;

/// <summary>The figures of the case study (2022): means of five runs, in seconds.</summary>
internal static class CaseStudy
{
    public const string Title = "\"A case study on CoAP.NET\" (2022), first measurement: Windows, Ryzen 5 2600, four bytes a second";

    public static IReadOnlyDictionary<int, (double Async, double Sync)> Seconds { get; } = new Dictionary<int, (double, double)>
    {
        [100] = (105.71, 105.61),
        [1_000] = (341.01, 341.00),
        [10_000] = (2_688.88, 2_688.95),
    };

    /// <summary>What async took longer than sync in each of its five runs with 100 bytes, in ms: one run makes the whole difference of the means.</summary>
    public static IReadOnlyList<double> Differences { get; } = [496.5, 0.6, 1.6, 0.5, -1.1];
}
