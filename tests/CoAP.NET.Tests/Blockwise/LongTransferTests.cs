using System.Buffers.Binary;
using CoAP.Lanes;
using CoAP.TestSupport;

namespace CoAP.Tests.Blockwise;

/// <summary>A body has more blocks than there are message IDs, and they go faster than 265 a second.</summary>
public sealed class LongTransferTests
{
    private const int Blocks = 70_000;
    private const int BlockSize = 16;

    [Fact, Trait("RFC", "7252 4.4"), Trait("RFC", "7959 2.4")]
    public void A_transfer_goes_on_with_ids_that_were_settled_longest_ago_and_counts_them()
    {
        var body = new byte[Blocks * BlockSize];
        for (var block = 0; block < Blocks; block++) { BinaryPrimitives.WriteInt32BigEndian(body.AsSpan(block * BlockSize), block); }
        var wire = new Wire(new ManualClock()) { Latency = TimeSpan.FromMilliseconds(1) };
        using var server = LaneEnd.Server(wire, map => map.At("large").Get((_, _) => new(Response.Content(body, ContentFormats.OctetStream))));
        using var client = LaneEnd.Client(wire);

        var answer = client.Send(new CoapRequest(RequestCode.Get, "/large") { PreferredBlockSize = BlockSize });
        wire.RunUntil(() => answer.IsCompleted);

        answer.Answer().Payload.Span.SequenceEqual(body).Should().BeTrue();
        client.Lane.Metrics[LaneCounters.ReusedMessageIds].Should().BeGreaterThan(0);
        wire.Time.Elapsed.Should().BeLessThan(TimeSpan.FromSeconds(150), "nothing waited for the quarantine");
    }

    [Fact, Trait("RFC", "7252 4.4")]
    public void A_new_request_still_waits()
    {
        var wire = new Wire(new ManualClock());
        using var server = LaneEnd.Server(wire, map => map.At("large").Get((_, _) => new(Response.Content(new byte[Blocks * BlockSize], ContentFormats.OctetStream))));
        using var client = LaneEnd.Client(wire);
        var transfer = client.Send(new CoapRequest(RequestCode.Get, "/large") { PreferredBlockSize = BlockSize });
        wire.RunUntil(() => transfer.IsCompleted);

        var next = client.Get("/large");
        wire.RunFor(TimeSpan.FromSeconds(1));

        next.Exception!.InnerException.Should().BeOfType<CoapBusyException>();
    }
}
