using CoAP.Lanes;
using CoAP.Tests.Blockwise;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Hostile;

/// <summary>Clients that begin bodies and never mind them again, so that the server has to remember as much as can be.</summary>
public sealed class AbandonedUploadTests
{
    private const string Nothing = "0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines";

    private static readonly string Block = new('x', 512);

    private readonly TaskCompletionSource _gate = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // Client                     Server
    //    | PUT 1:0/1/512 -------> |
    //    | <------- 2.31 1:0/1/512|
    //    | PUT 1:1/0/512 -------> |  waits for the handler
    //    | PUT 1:0/1/512 -------> |  other bytes: the body begins anew
    //    | <------------ 4.08     |  for the block that waited
    [Fact, Trait("RFC", "7959 2.5")]
    public void A_last_block_that_waits_for_the_handler_is_answered_when_the_body_begins_anew()
    {
        using var run = new StreamedServer(map => map.At("up").Put(ReadAsync).StreamsBody());
        run.Exchange($"CON [0x0001] PUT /up {{Block1: 0/1/512}} '{Block}'", "ACK [0x0001] 2.31 Continue {Block1: 0/1/512}");
        run.Client.Send("CON [0x0002] PUT /up {Block1: 1/0/512} 'end'");
        run.Client.Send($"CON [0x0003] PUT /up {{Block1: 0/1/512}} '{Block.Replace('x', 'y')}'");

        run.Client.TakeAll(seconds: 10);
        _gate.SetResult();
        run.Until(() => run.Server.Lane.PendingRequests == 1);
        run.Client.TakeAll(seconds: 600);
        run.Until(() => run.Server.Lane.PendingRequests == 0);

        run.Server.Leftovers.Should().Be(Nothing);
        Codes(run).Should().BeEquivalentTo(["2.31", "2.31", "4.08"], "each block has its answer");
    }

    [Fact, Trait("RFC", "7959 2.5")]
    public void A_body_that_the_client_abandons_is_no_failure_of_the_handler_that_reads_it()
    {
        using var run = new StreamedServer(map => map.At("up").Put(ReadAsync).StreamsBody());
        run.Exchange($"CON [0x0001] PUT /up {{Block1: 0/1/512}} '{Block}'", "ACK [0x0001] 2.31 Continue {Block1: 0/1/512}");
        _gate.SetResult();

        run.Client.ExpectNothing(seconds: 233);
        run.Until(() => run.Server.Lane.PendingRequests == 0);

        run.Server.Log.Lines(LogLevel.Information).Should().BeEmpty();
        run.Server.Lane.Metrics[RequestEnd.Failed].Should().Be(0);
    }

    [Fact, Trait("RFC", "7959 2.9.2")]
    public void A_block_that_waits_for_the_handler_of_an_abandoned_body_is_refused()
    {
        using var run = new StreamedServer(map => map.At("up").Put(ReadAsync).StreamsBody());
        run.Exchange($"CON [0x0001] PUT /up {{Block1: 0/1/512}} '{Block}'", "ACK [0x0001] 2.31 Continue {Block1: 0/1/512}");
        run.Client.Send("CON [0x0002] PUT /up {Block1: 1/0/512} 'end'");
        run.Client.TakeAll(seconds: 1);

        run.Client.Send($"CON [0x0003] PUT /up {{Block1: 0/1/512}} '{Block.Replace('x', 'y')}'");
        run.Client.TakeAll(seconds: 1);

        run.Server.Lane.Metrics[RequestEnd.Refused].Should().Be(1);
        run.Server.Lane.Metrics[RequestEnd.Failed].Should().Be(0);
        _gate.SetResult();
    }

    private static IEnumerable<string> Codes(StreamedServer run) =>
        run.Wire.Sent(CoAP.TestSupport.Direction.ToClient).Select(one => $"{one.Bytes[1] >> 5}.{one.Bytes[1] & 31:d2}").Where(code => code != "0.00");

    private async ValueTask<CoapResponse> ReadAsync(IncomingRequest request, CancellationToken cancellationToken)
    {
        await _gate.Task;
        await request.Body.CopyToAsync(Stream.Null, cancellationToken);
        return Response.Changed;
    }
}
