namespace CoAP.Benchmarks.Load;

/// <summary>The cost of one handler in one round.</summary>
/// <param name="Load">The load that it had.</param>
/// <param name="Allocated">The bytes that its process allocated for each request.</param>
internal sealed record PayloadCost(LoadResult Load, double Allocated);

/// <summary>Both handlers of a format in one round.</summary>
internal sealed record PayloadPair(PayloadCost Typed, PayloadCost Bytes)
{
    public long Failed => Typed.Load.Failed + Bytes.Load.Failed;

    /// <summary>The processor time that reading and writing values takes, in microseconds for each request.</summary>
    public double Added => Typed.Load.CpuPerAnswer - Bytes.Load.CpuPerAnswer;

    /// <summary>Returns a figure of the typed handler divided by that of the other one.</summary>
    public double Ratio(Func<PayloadCost, double> figure) => figure(Typed) / figure(Bytes);
}

/// <summary>The tables and the chart of the cost of typed payloads.</summary>
internal sealed class PayloadTables(IReadOnlyList<(MeasuredFormat Format, List<PayloadPair> Rounds)> all)
{
    /// <summary>Adds them to a report.</summary>
    public void Add(Report report)
    {
        report.Add(Costs());
        report.Add(Ratios());
        report.Add(Chart());
        report.Fail(all.Sum(static one => one.Rounds.Sum(static pair => pair.Failed)));
    }

    /// <summary>Returns a row for each handler of each format.</summary>
    public Table Costs()
    {
        var table = new Table(
            "cost", "format", "handler", "bytes", "requests/s", "CPU us/request", "least - most", "allocated bytes/request", "p99 us", "failed");
        foreach (var (format, rounds) in all)
        {
            Add(table, format, "typed", [.. rounds.Select(static pair => pair.Typed)]);
            Add(table, format, "bytes", [.. rounds.Select(static pair => pair.Bytes)]);
        }
        return table;
    }

    /// <summary>Returns the typed handlers against those with bytes, one row for each format.</summary>
    public Table Ratios()
    {
        var table = new Table("ratios", "format", "CPU to bytes", "least - most", "requests/s to bytes", "CPU us more", "allocated bytes more");
        foreach (var (format, rounds) in all)
        {
            var cpu = new Runs(rounds.Select(static pair => pair.Ratio(Cpu)));
            table.Add(
                format.Name, Runs.Format(cpu.Median), cpu.Spread, Middle(rounds, static pair => pair.Ratio(Rate)),
                Middle(rounds, static pair => pair.Added), Middle(rounds, static pair => pair.Typed.Allocated - pair.Bytes.Allocated));
        }
        return table;
    }

    private Chart Chart()
    {
        const string Title = "CPU of the server for a request with a device reading";
        var chart = new Chart("cost", Title, "bytes of the payload", "us") { IsLogAcross = false, IsLogUp = false };
        foreach (var (format, rounds) in all) { chart.Add(format.Name, [(format.Request.Length, Median(rounds, static pair => Cpu(pair.Typed)))]); }
        var bytes = all.Select(static one => ((double)one.Format.Request.Length, Median(one.Rounds, static pair => Cpu(pair.Bytes))));
        chart.Add("bytes", bytes.OrderBy(static point => point.Item1), isDocument: true);
        return chart;
    }

    private static void Add(Table table, MeasuredFormat format, string handler, PayloadCost[] costs)
    {
        var cpu = new Runs(costs.Select(Cpu));
        string Text(Func<PayloadCost, double> figure) => Runs.Format(new Runs(costs.Select(figure)).Median);
        table.Add(
            format.Name, handler, $"{format.Request.Length}", Text(Rate), Runs.Format(cpu.Median), cpu.Spread, Text(static cost => cost.Allocated),
            Text(static cost => cost.Load.Microseconds(0.99)), $"{costs.Sum(static cost => cost.Load.Failed)}");
    }

    private static double Rate(PayloadCost cost) => cost.Load.Rate;

    private static double Cpu(PayloadCost cost) => cost.Load.CpuPerAnswer;

    private static double Median(List<PayloadPair> rounds, Func<PayloadPair, double> figure) => new Runs(rounds.Select(figure)).Median;

    private static string Middle(List<PayloadPair> rounds, Func<PayloadPair, double> figure) => Runs.Format(Median(rounds, figure));
}
