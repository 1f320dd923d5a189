using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using CoAP.Lanes;

namespace CoAP.Tests.Architecture;

/// <summary>All instruments of the library, found at run time, as the page of instruments lists them.</summary>
internal static class InstrumentTable
{
    public const string Page = "docs/telemetry-instruments.md";

    private static readonly string[] OfRequests = ["coap.request.method", "coap.response.code", "network.transport", "url.scheme", "error.type"];

    /// <summary>The attributes of instruments. An instrument that is not here has none.</summary>
    public static readonly Dictionary<string, string[]> Attributes = new()
    {
        ["coap.client.request.duration"] = OfRequests,
        ["coap.server.request.duration"] = [.. OfRequests, "coap.route"],
        ["coap.dropped"] = ["coap.drop.reason", "coap.format_error", "coap.ledger.resource"],
        ["coap.message.received"] = ["coap.message.type", "coap.message.code"],
        ["coap.message.sent"] = ["coap.message.type", "coap.message.code"],
        ["coap.request.ended"] = ["coap.request.end"],
        ["coap.ledger.used"] = ["coap.ledger.resource"],
        ["coap.ledger.limit"] = ["coap.ledger.resource"],
        ["coap.ledger.accounts"] = ["coap.ledger.resource"],
        ["coap.ledger.refused"] = ["coap.ledger.resource"],
        ["coap.dtls.dropped"] = ["coap.drop.reason"],
        ["coap.dtls.handshake.failed"] = ["error.type"],
    };

    public static IReadOnlyList<Instrument> All()
    {
        RuntimeHelpers.RunClassConstructor(typeof(CoapMeter).TypeHandle);
        RuntimeHelpers.RunClassConstructor(typeof(DtlsTelemetry).Assembly.GetType("CoAP.Dtls.DtlsMetrics", throwOnError: true)!.TypeHandle);
        var found = new List<Instrument>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, _) =>
            {
                if (instrument.Meter.Name is CoapTelemetry.MeterName or DtlsTelemetry.MeterName) { found.Add(instrument); }
            },
        };
        listener.Start();
        return [.. found.DistinctBy(instrument => instrument.Name).OrderBy(instrument => instrument.Meter.Name).ThenBy(instrument => instrument.Name, StringComparer.Ordinal)];
    }

    public static IEnumerable<string> Render()
    {
        yield return "# The instruments";
        yield return "";
        yield return "This page lists all metrics of the library. [telemetry.md](telemetry.md) shows how to collect them.";
        yield return "A test generates the page from the running library: `COAP_APPROVE=1 dotnet test tests/CoAP.NET.Tests --filter InstrumentTable`.";
        foreach (var meter in All().GroupBy(instrument => instrument.Meter.Name))
        {
            yield return "";
            yield return $"## Meter `{meter.Key}`";
            yield return "";
            yield return "| instrument | kind | unit | attributes | Prometheus | meaning |";
            yield return "| --- | --- | --- | --- | --- | --- |";
            foreach (var one in meter) { yield return Row(one); }
        }
    }

    /// <summary>Returns the name under which Prometheus knows an instrument: with the unit, and "total" if it is a counter.</summary>
    public static string PrometheusName(Instrument instrument)
    {
        var unit = instrument.Unit switch { "s" => "_seconds", "By" => "_bytes", _ => "" };
        return instrument.Name.Replace('.', '_') + unit + (KindOf(instrument) == "counter" ? "_total" : "");
    }

    public static string KindOf(Instrument instrument) => instrument.GetType().Name.Split('`')[0] switch
    {
        "Counter" or "ObservableCounter" => "counter",
        "UpDownCounter" or "ObservableUpDownCounter" => "up-down counter",
        "ObservableGauge" or "Gauge" => "gauge",
        "Histogram" => "histogram",
        var other => throw new InvalidOperationException($"The instrument {instrument.Name} has the unknown kind {other}."),
    };

    private static string Row(Instrument one)
    {
        var attributes = string.Join(", ", Attributes.GetValueOrDefault(one.Name, []).Select(name => $"`{name}`"));
        return $"| `{one.Name}` | {KindOf(one)} | {one.Unit} | {attributes} | `{PrometheusName(one)}` | {one.Description} |";
    }
}
