using System.ComponentModel;
using System.Net.Sockets;
using CoAP.Load.Front;
using CoAP.Measurements.Reporting;

namespace CoAP.Load.Compare;

/// <summary>Compares servers, and writes a report as Markdown with its tables as CSV and its pictures.</summary>
internal static class CompareCommand
{
    public static int Run(string[] args)
    {
        if (!CompareSettings.TryParse(args, out var settings, out var error))
        {
            Console.Error.WriteLine(error);
            Console.Error.WriteLine(CompareSettings.Usage);
            return 2;
        }

        if (!Affinity.Pin(settings.Processor)) { Console.Error.WriteLine($"Processor {settings.Processor} could not be chosen."); }
        using var stop = new CancellationTokenSource();
        Interrupt.Cancels(stop);
        using var comparison = new Comparison(settings, Console.Error);
        foreach (var missing in settings.Servers.Except(comparison.Peers.Select(static peer => peer.Short)))
        {
            Console.Error.WriteLine($"{missing} is left out: it is not built, not installed, or not for this system.");
        }

        try
        {
            comparison.Run(stop.Token);
        }
        catch (Exception problem) when (problem is InvalidOperationException or SocketException or Win32Exception)
        {
            Console.Error.WriteLine(problem.Message);
            return 1;
        }

        Write(settings, comparison, args);
        return comparison.Measurements.Count > 0 && comparison.Measurements.TrueForAll(static one => one.Result.Tally.Good > 0) ? 0 : 1;
    }

    private static void Write(CompareSettings settings, Comparison comparison, string[] args)
    {
        Directory.CreateDirectory(settings.Output);
        var tables = new ComparisonTables(comparison.Measurements);
        var report = new StringWriter();
        WriteHead(report, settings, comparison.Measurements.Select(static one => one.Peer).Distinct(), args);
        foreach (var table in new[] { tables.Results(), tables.Ratios(), tables.Sockets() })
        {
            CsvFile.Write(Path.Combine(settings.Output, $"load-{table.Name}.csv"), table);
            if (table.Rows.Count == 0) { continue; }
            report.WriteLine();
            report.WriteLine($"## {table.Name}");
            report.WriteLine();
            table.Print(report);
        }

        CsvFile.Write(Path.Combine(settings.Output, "load-rounds.csv"), tables.Rounds());
        foreach (var plot in tables.Plots()) { File.WriteAllText(Path.Combine(settings.Output, $"load-{plot.Name}.svg"), plot.ToSvg()); }
        File.WriteAllText(Path.Combine(settings.Output, "load.md"), report.ToString());
        Console.Write(report);
    }

    private static void WriteHead(StringWriter report, CompareSettings settings, IEnumerable<Peer> peers, string[] args)
    {
        report.WriteLine($"# Server load: compare {string.Join(' ', args)}");
        report.WriteLine();
        report.WriteLine($"Machine: {Machine.Describe()}.");
        report.WriteLine();
        report.WriteLine("Servers: " + string.Join("; ", peers.Select(static peer => $"{peer.Name} {peer.Version}, `/{peer.Path}`")) + ".");
        report.WriteLine();
        report.WriteLine(FormattableString.Invariant($"Confirmable GET over UDP, GET over TCP; servers on processor {settings.ServerProcessor}, generator on {settings.Processor}; ")
            + FormattableString.Invariant($"{settings.Repeats} rounds A B A B of {settings.Measured.TotalSeconds:0.#} s each, {settings.Settle.TotalSeconds:0.#} s of load before each, ")
            + FormattableString.Invariant($"{settings.WarmUp.TotalSeconds:0.#} s after the start of a server in .NET. \"window\" is the age of the oldest message ")
            + "that the server's deduplication still held after the round.");
        if (settings.WarmUp < TimeSpan.FromSeconds(10))
        {
            report.WriteLine();
            report.WriteLine("The warm-up is short: a server in .NET on one busy processor is compiled to the end after 10 to 15 s.");
        }
    }
}
