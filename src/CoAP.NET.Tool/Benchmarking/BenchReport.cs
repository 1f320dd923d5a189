using System.Globalization;
using System.Text.Json;
using CoAP.Tool.LoadEngine;
using CoAP.Tool.Printing;
using CoAP.Tool.Running;

namespace CoAP.Tool.Benchmarking;

/// <summary>Prints the result of a load.</summary>
internal static class BenchReport
{
    private const double NanosecondsPerMillisecond = 1e6;

    private static readonly (string Name, double Share)[] Percentiles = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999)];

    /// <summary>Prints the result as text.</summary>
    public static void Print(Terminal terminal, BenchSettings settings, string generator, BenchResult result)
    {
        var tally = result.Tally;
        var latencies = Percentiles.Select(one => $"{one.Name} {Milliseconds(tally.Latencies.Percentile(one.Share))}");
        terminal.Out.WriteLine(Describe(settings, generator));
        Row("requests/s", $"{Number(result.Rate)}   ({Number(tally.Good)} in {Exact(result.Elapsed.TotalSeconds)} s)");
        if (tally.Good > 0) { Row("latency ms", $"{string.Join("   ", latencies)}   max {Milliseconds(tally.Latencies.Max)}"); }
        Row("errors", tally.Failures.Count == 0 ? "none" : string.Join(", ", tally.Failures.Select(failure => $"{failure.Kind}: {Number(failure.Count)}")));
        if (tally.Retransmitted > 0) { Row("retransmissions", Number(tally.Retransmitted)); }
        Row("this program", $"{100 * result.ShareOfCore:0} % of a core");

        void Row(string name, string value) => terminal.Out.WriteLine($"  {name,-16}{value}");
    }

    /// <summary>Prints the result as one JSON object.</summary>
    public static void PrintJson(Terminal terminal, BenchSettings settings, string generator, BenchResult result) => terminal.Out.WriteLine(JsonReport.Write(writer =>
    {
        writer.WriteString("uri", settings.Uri);
        writer.WriteString("method", CodeName.Of(settings.Method));
        writer.WriteNumber("clients", settings.Clients);
        writer.WriteNumber("concurrency", settings.Concurrency);
        if (settings.Rate is { } rate) { writer.WriteNumber("rate", rate); }
        writer.WriteString("generator", generator);
        writer.WriteNumber("seconds", Math.Round(result.Elapsed.TotalSeconds, 3));
        writer.WriteNumber("responses", result.Tally.Good);
        writer.WriteNumber("responsesPerSecond", Math.Round(result.Rate, 1));
        WriteLatencies(writer, result.Tally.Latencies);
        writer.WriteStartObject("errors");
        foreach (var (kind, count) in result.Tally.Failures) { writer.WriteNumber(kind, count); }
        writer.WriteEndObject();
        writer.WriteNumber("retransmissions", result.Tally.Retransmitted);
        writer.WriteNumber("processorShare", Math.Round(result.ShareOfCore, 3));
    }));

    /// <summary>Returns the exit code: error responses are an error, and so is a load without any response.</summary>
    public static int ExitCodeOf(Tally tally) => tally.ErrorAnswers > 0 ? ExitCode.ErrorAnswer : tally.Good > 0 ? ExitCode.Success : ExitCode.NoAnswer;

    /// <summary>Returns the state of a running load for one line of a terminal.</summary>
    public static string Progress(TimeSpan elapsed, TimeSpan duration, long answers)
    {
        var rate = answers / Math.Max(elapsed.TotalSeconds, 0.001);
        return string.Create(CultureInfo.InvariantCulture, $"{elapsed.TotalSeconds:0.0} of {duration.TotalSeconds:0.##} s, {rate:#,0} requests/s");
    }

    private static string Describe(BenchSettings settings, string generator)
    {
        var kind = settings.Uri.StartsWith("coap://", StringComparison.Ordinal) ? settings.IsConfirmable ? " (confirmable)" : " (non-confirmable)" : "";
        var loop = settings.Rate is { } rate ? $"{Number(rate)} requests/s" : "as fast as responses arrive";
        var payload = settings.Payload.Length > 0 ? $", {ByteCount.Of(settings.Payload.Length)} each" : "";
        var shape = $"{settings.Clients} clients x {settings.Concurrency} requests";
        return $"{CodeName.Of(settings.Method)} {settings.Uri}{kind}{payload}: {shape}, {loop}, by {generator}";
    }

    private static string Number(double value) => value.ToString("#,0", CultureInfo.InvariantCulture);

    private static string Exact(double value) => value.ToString("0.##", CultureInfo.InvariantCulture);

    private static string Milliseconds(long nanoseconds) => (nanoseconds / NanosecondsPerMillisecond).ToString("0.000", CultureInfo.InvariantCulture);

    private static void WriteLatencies(Utf8JsonWriter writer, LatencyHistogram latencies)
    {
        writer.WriteStartObject("latencyMilliseconds");
        foreach (var (name, share) in Percentiles) { writer.WriteNumber(name, latencies.Percentile(share) / NanosecondsPerMillisecond); }
        writer.WriteNumber("max", latencies.Max / NanosecondsPerMillisecond);
        writer.WriteEndObject();
    }
}
