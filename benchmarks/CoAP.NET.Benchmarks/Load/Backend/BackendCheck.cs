namespace CoAP.Benchmarks.Load;

/// <summary>What the devices know against what the store has.</summary>
/// <param name="Acknowledged">The readings that were acknowledged.</param>
/// <param name="Stored">The readings that are stored.</param>
/// <param name="Missing">The acknowledged readings that are not stored.</param>
/// <param name="Surplus">The stored readings that were not sent, or that are stored twice.</param>
internal sealed record BackendCheck(long Acknowledged, long Stored, long Missing, long Surplus)
{
    public bool IsGood => Missing == 0 && Surplus == 0;

    /// <remarks>Each device sends the sequences from 0 on, one request after the other. So what is stored of it has to be a range that begins with 0.</remarks>
    public static BackendCheck Of(ReportingLoad load, int perRequest, IReadOnlyDictionary<string, (long Count, long First, long Last)> stored)
    {
        var check = new BackendCheck(0, 0, 0, 0);
        foreach (var device in load.Devices)
        {
            var (count, first, last) = stored.GetValueOrDefault(device.Name, (0, 0, -1));
            var whole = first == 0 ? Math.Min(count, last + 1) : 0;
            check = new(
                check.Acknowledged + device.Acknowledged, check.Stored + count,
                check.Missing + Math.Max(0, device.Acknowledged - whole) + Math.Max(0, last + 1 - count),
                check.Surplus + Math.Max(0, count - (last + 1)) + Math.Max(0, last + 1 - (device.Acknowledged + perRequest)));
        }
        return check;
    }
}
