using CoAP.Testing;
using CoAP.TestSupport;

namespace CoAP.Benchmarks;

/// <summary>
/// The time that bodies take in simulated time: one confirmable block after the other (RFC 7959), and in sets of blocks (RFC 9177). The library's
/// client and server exchange them over a simulated wire, 50 ms each way. The figures are the same on every machine.
/// </summary>
internal static class TransfersCommand
{
    private const int Seeds = 5;

    public static Task<int> RunAsync(Arguments arguments)
    {
        var settings = RunSettings.Read("transfers", arguments);
        arguments.End();
        var report = new Report(settings, "Bodies over a slow path, 50 ms each way");
        var table = new Table("times", "body", "loss", "direction", "RFC 7959", "RFC 9177", "ratio");
        int[] lengths = settings.Form == RunForm.Dry ? [16] : [16, 128, 1024];
        foreach (var (kibibytes, loss, isUpload) in from length in lengths from loss in new[] { 0, 0.01, 0.05 } from isUpload in new[] { true, false } select (length, loss, isUpload))
        {
            var (blocks, sets) = (Seconds(kibibytes << 10, loss, isUpload, RobustMode.Off), Seconds(kibibytes << 10, loss, isUpload, RobustMode.WhenSupported));
            table.Add(
                $"{kibibytes} KiB", loss.ToString("0 %", CultureInfo.InvariantCulture), isUpload ? "PUT" : "GET",
                $"{Runs.Format(blocks)} s", $"{Runs.Format(sets)} s", Runs.Format(blocks / sets));
        }
        report.Add(table);
        return Task.FromResult(report.ExitCode);
    }

    private static double Seconds(int length, double loss, bool isUpload, RobustMode mode) =>
        Enumerable.Range(1, loss == 0 ? 1 : Seeds).Average(seed => Seconds(length, loss, isUpload, mode, seed));

    private static double Seconds(int length, double loss, bool isUpload, RobustMode mode, int seed)
    {
        var body = new byte[length];
        var wire = new Wire(new ManualClock(), seed) { Latency = TimeSpan.FromMilliseconds(50), Loss = loss };
        using var client = LaneEnd.Client(wire, new CoapClientSettings { ClientTransfers = new() { RobustMode = mode } });
        using var server = LaneEnd.Server(
            wire,
            resources => resources.At("body").Put(_ => Response.Changed, HandlerMode.Inline)
                .Get(_ => new CoapResponse(ResponseCode.Content) { Payload = body }, HandlerMode.Inline),
            new CoapServerSettings { MaxInlinePayload = int.MaxValue });
        var call = client.Send(new CoapRequest(isUpload ? RequestCode.Put : RequestCode.Get, "/body") { Payload = isUpload ? body : default });
        wire.RunUntil(() => call.IsCompleted);
        if (!call.Answer().IsSuccess) { throw new InvalidOperationException($"The transfer ended with {call.Answer().Code}."); }
        return wire.Time.Elapsed.TotalSeconds;
    }
}
