using System.Runtime.CompilerServices;
using CoAP.Blockwise;
using CoAP.Options;
using static CoAP.Tests.Blockwise.Transfers;

namespace CoAP.Tests.Blockwise;

/// <summary>A multitude of peers, which may all be forged, each of which begins or fetches a tiny body.</summary>
public sealed class TinyBodiesTests
{
    private const int Peers = 10_000;

    private static readonly BodyLimits Tight = Limits with { Overhead = 1024 };

    private readonly BodyBudget _budget = Budget(1 << 20);

    [Fact]
    public void Tiny_bodies_of_requests_count_their_options_and_objects()
    {
        var cut = new RequestBodies(Tight, _budget);
        var query = new UriQuery(new string('q', 200));

        for (var port = 1; port <= Peers; port++) { cut.Receive(Key("a", port, null, null, query, query), Block(0, true, 16), new byte[16], null, false, 0); }

        cut.Count.Should().BeInRange(100, (1 << 20) / (1024 + 400));
        cut.Expire(Lifetime);
        (_budget.Bytes, _budget.Peers).Should().Be((0, 0));
    }

    [Fact]
    public void Tiny_bodies_of_responses_count_their_options_and_objects()
    {
        var cut = new ResponseBodies(Tight, _budget);

        for (var port = 1; port <= Peers; port++)
        {
            cut.TryAdd(new ResponseBody(Key("a", port), ResponseCode.Content, [new ETag(new byte[8])], new byte[17]) { IsSafe = true }, port);
        }

        cut.Count.Should().BeInRange(100, (1 << 20) / 1024);
        cut.Expire(long.MaxValue);
        _budget.Bytes.Should().Be(0);
    }

    [Fact]
    public void A_block_does_not_keep_the_datagram_that_it_came_in()
    {
        var cut = new RequestBodies(Tight, _budget);

        var datagram = Receive(cut);
        GC.Collect();

        datagram.IsAlive.Should().BeFalse();
        cut.Count.Should().Be(1);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Receive(RequestBodies cut)
    {
        var datagram = new byte[64 << 10];
        cut.Receive(Key(), Block(0, true, 16), datagram.AsMemory(1000, 16), null, false, 0);
        return new WeakReference(datagram);
    }
}
