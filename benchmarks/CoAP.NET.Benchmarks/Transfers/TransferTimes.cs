using System.Globalization;
using CoAP.Testing;

namespace CoAP.Benchmarks.Transfers;

/// <summary>How long bodies take in simulated time, one confirmable block after the other (RFC 7959) and in sets of blocks (RFC 9177), as a ratio.</summary>
/// <remarks>Our client and our server with a simulated wire between them, 50 ms each way. The same figures on each machine.</remarks>
internal static class TransferTimes
{
    private const int Seeds = 5;

    public static void Print(TextWriter output)
    {
        output.WriteLine("| body | loss | direction | RFC 7959 | RFC 9177 | ratio |");
        output.WriteLine("| --- | --- | --- | --- | --- | --- |");
        foreach (var length in new[] { 16 << 10, 128 << 10, 1 << 20 })
        {
            foreach (var loss in new[] { 0, 0.01, 0.05 })
            {
                PrintLine(output, length, loss, isUpload: true);
                PrintLine(output, length, loss, isUpload: false);
            }
        }
    }

    private static void PrintLine(TextWriter output, int length, double loss, bool isUpload)
    {
        var (lockstep, robust) = (Seconds(length, loss, isUpload, RobustMode.Off), Seconds(length, loss, isUpload, RobustMode.WhenSupported));
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"| {length >> 10} KiB | {loss:0 %} | {(isUpload ? "PUT" : "GET")} | {lockstep:0.0} s | {robust:0.0} s | {lockstep / robust:0.0} |"));
    }

    private static double Seconds(int length, double loss, bool isUpload, RobustMode mode) =>
        Enumerable.Range(1, loss == 0 ? 1 : Seeds).Average(seed => Seconds(length, loss, isUpload, mode, seed));

    private static double Seconds(int length, double loss, bool isUpload, RobustMode mode, int seed)
    {
        var body = new byte[length];
        var wire = new Wire(new ManualTime(), seed) { Latency = TimeSpan.FromMilliseconds(50), Loss = loss };
        using var client = LaneEnd.Client(wire, new CoapClientSettings { Transfers = new() { RobustMode = mode } });
        using var server = LaneEnd.Server(
            wire,
            resources => resources.At("body").Put(_ => Response.Changed, HandlerMode.Inline)
                .Get(_ => new CoapResponse(ResponseCode.Content) { Payload = body }, HandlerMode.Inline),
            new CoapServerSettings { BufferedSize = int.MaxValue });
        var call = client.Send(new CoapRequest(isUpload ? RequestCode.Put : RequestCode.Get, "/body") { Payload = isUpload ? body : default });
        wire.RunUntil(() => call.IsCompleted);
        if (!call.Answer().IsSuccess) { throw new InvalidOperationException($"The transfer ended with {call.Answer().Code}."); }
        return wire.Time.Elapsed.TotalSeconds;
    }
}
