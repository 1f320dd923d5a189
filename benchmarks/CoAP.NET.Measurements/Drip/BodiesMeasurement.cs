using System.Globalization;
using CoAP.Measurements.Reporting;
using CoAP.Measurements.Serving;
using SampleServer;

namespace CoAP.Measurements.Drip;

/// <summary>Bodies in blocks over UDP (RFC 7959), to a handler that blocks in its reads and to one that awaits them.</summary>
internal static class BodiesMeasurement
{
    private static readonly long[] Sizes = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

    public static async Task RunAsync(RunSettings settings, Report report, (string Name, ServerProcess Server)[] servers)
    {
        var results = new Results("bodies", "ms", "server", "bytes");
        var plot = new Plot("bodies", "Bodies in blocks of 1,024 bytes over UDP (PUT)", "bytes", "milliseconds");
        foreach (var (name, server) in servers)
        {
            await using var client = new CoapClient(Settings.Client);
            var uri = $"coap://127.0.0.1:{server["udp"]}/body";
            await PutAsync(client, uri, Sizes[3]);
            var medians = await Cell.Of(settings, full: 5).MeasureAsync(
                results, Sizes, size => [name, size.ToString("N0", CultureInfo.InvariantCulture)], _ => "", (size, _) => PutAsync(client, uri, size));
            plot.Line(name, medians);
        }
        report.Add(results);
        report.Add(plot);
    }

    private static async Task PutAsync(CoapClient client, string uri, long size) =>
        (await client.UploadAsync(uri, new Pattern(size), ContentFormats.OctetStream)).EnsureSuccess();
}
