using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace CoAP.Load.Front;

/// <summary>A result for programs.</summary>
internal static class ResultFiles
{
    private const string StandardOutput = "-";

    public static void WriteJson(string file, CoapUri uri, LoadResult result)
    {
        using var stream = file == StandardOutput ? Console.OpenStandardOutput() : File.Create(file);
        using var writer = new Utf8JsonWriter(stream, new JsonWriterOptions { Indented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });
        writer.WriteStartObject();
        foreach (var (name, value) in Values(uri, result))
        {
            if (value is string text) { writer.WriteString(name, text); }
            else if (value is long whole) { writer.WriteNumber(name, whole); }
            else if (value is double number && double.IsFinite(number)) { writer.WriteNumber(name, number); }
            else { writer.WriteNull(name); }
        }

        writer.WriteStartArray("per_second");
        foreach (var count in result.PerSecond) { writer.WriteNumberValue(count); }
        writer.WriteEndArray();
        writer.WriteEndObject();
        writer.Flush();
        stream.WriteByte((byte)'\n');
    }

    /// <summary>Adds a line to a file; a new one begins with the names of the columns.</summary>
    public static void AddCsv(string file, CoapUri uri, LoadResult result)
    {
        var values = Values(uri, result);
        var line = string.Join(',', values.Select(static one => string.Create(CultureInfo.InvariantCulture, $"{one.Value}")));
        var text = new StringBuilder();
        if (file == StandardOutput || !File.Exists(file)) { text.AppendLine(string.Join(',', values.Select(static one => one.Name))); }
        text.AppendLine(line);
        if (file == StandardOutput) { Console.Write(text); }
        else { File.AppendAllText(file, text.ToString()); }
    }

    private static List<(string Name, object? Value)> Values(CoapUri uri, LoadResult result)
    {
        var (settings, tally) = (result.Settings, result.Tally);
        List<(string, object?)> values =
        [
            ("kind", ResultText.KindOf(settings)), ("method", ResultText.MethodOf(settings)), ("uri", uri.ToString()),
            ("sockets", (long)settings.Sockets), ("outstanding", (long)settings.Slots), ("rate", settings.Rate), ("payload", (long)settings.PayloadLength),
            ("seconds", result.Time.TotalSeconds), ("requests_per_second", result.Rate), ("good", tally.Good),
        ];
        values.AddRange(Percentiles.All.Select(one => (one.Name.Replace('.', '_') + "_us", (object?)result.Microseconds(one.Share))));
        values.AddRange(
        [
            ("max_us", tally.Latencies.Max / 1000.0), ("lost", tally.Lost), ("errors", tally.Errors), ("codes", ResultText.ErrorsOf(tally, " ")),
            ("unsent", tally.Unsent), ("strays", tally.Strays), ("retransmitted", tally.Retransmissions), ("separate", tally.Separate),
            ("closed", tally.Closed), ("refused", tally.Refusals), ("bytes", tally.Bytes),
            ("server_cpu_s", result.ServerCpu?.TotalSeconds), ("server_cpu_s_per_million", result.ServerCpuPerMillion),
            ("server_rss_before", result.Server?.Before.ResidentBytes), ("server_rss_after", result.Server?.After.ResidentBytes),
            ("server_switches", result.Server is { } server ? server.After.Switches - server.Before.Switches : null),
            ("generator_share", result.GeneratorShare), ("generator_allocated", result.GeneratorAllocated),
        ]);
        return values;
    }
}
