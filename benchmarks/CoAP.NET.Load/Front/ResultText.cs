using System.Globalization;

namespace CoAP.Load.Front;

/// <summary>A result for people.</summary>
internal static class ResultText
{
    private const double Kibi = 1024;

    public static void Print(TextWriter output, CoapUri uri, LoadResult result)
    {
        var (settings, tally) = (result.Settings, result.Tally);
        output.WriteLine($"{KindOf(settings)} {MethodOf(settings)} {uri}: {LoadOf(settings)}; {F($"{result.Time.TotalSeconds:0.00}")} s");
        output.WriteLine(F($"  requests/s   {result.Rate:N0}  ({tally.Good:N0} good, {(tally.Good > 0 ? (double)tally.Bytes / tally.Good : 0):0.0} bytes an answer)"));
        output.WriteLine(F($"  latency µs   {string.Join("  ", Percentiles.All.Select(one => F($"{one.Name} {result.Microseconds(one.Share):0.0}")))}")
            + F($"  max {tally.Latencies.Max / 1000.0:0.0}") + (settings.Rate is null ? "" : "  from the intended time"));
        output.WriteLine(F($"  failures     lost {tally.Lost:N0}, errors {tally.Errors:N0}{CodesOf(tally)}, unsent {tally.Unsent:N0}, strays {tally.Strays:N0}, ")
            + F($"closed {tally.Closed:N0}, refused by the system {tally.Refusals:N0}"));
        output.WriteLine(F($"  messages     retransmitted {tally.Retransmissions:N0}, separate answers {tally.Separate:N0}"));
        if (result.Server is { } server)
        {
            output.WriteLine(F($"  server       {result.ServerCpuPerMillion:0.000} CPU s per million requests, {result.ServerCpu / result.Time * 100:0} % of a core, ")
                + F($"RSS {server.Before.ResidentBytes / Kibi:N0} -> {server.After.ResidentBytes / Kibi:N0} KiB, ")
                + F($"{server.After.Switches - server.Before.Switches:N0} context switches"));
        }

        output.WriteLine(F($"  generator    {result.GeneratorShare * 100:0} % of a core, {result.GeneratorAllocated:N0} bytes allocated"));
    }

    public static string KindOf(LoadSettings settings) => settings.IsTcp ? "TCP" : settings.IsConfirmable ? "CON" : "NON";

    public static string MethodOf(LoadSettings settings) =>
        settings.Method == RequestCode.Get ? "GET" : settings.Method == RequestCode.Put ? "PUT" : "POST";

    /// <summary>The codes that were not expected, such as "4.04:12"; and Resets.</summary>
    public static string ErrorsOf(Tally tally, string between)
    {
        var codes = tally.Codes.Select((count, code) => (count, code)).Where(static one => one.count > 0)
            .Select(static one => F($"{one.code >> 5}.{one.code & 31:00}:{one.count}"));
        return string.Join(between, tally.Resets > 0 ? codes.Append(F($"RST:{tally.Resets}")) : codes);
    }

    private static string CodesOf(Tally tally) => tally.Errors == 0 ? "" : $" ({ErrorsOf(tally, ", ")})";

    private static string LoadOf(LoadSettings settings)
    {
        var sockets = F($"{settings.Sockets:N0} {(settings.IsTcp ? "connections" : "sockets")}");
        var limit = F($"{settings.Outstanding:N0} outstanding{(settings.IsTcp ? " on each" : "")}");
        return settings.Rate is { } rate ? F($"open loop of {rate:N0} requests/s, {sockets}, at most {limit}") : F($"closed loop, {sockets}, {limit}");
    }

    private static string F(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
