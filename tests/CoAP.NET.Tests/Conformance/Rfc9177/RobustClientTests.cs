using CoAP.Discovery;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance.Rfc9177;

/// <summary>Our client and our server, and robust transfers between them.</summary>
public sealed class RobustClientTests : IDisposable
{
    private const string Nothing = "0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines";

    private static readonly ClientTransferSettings Robust = new() { RobustMode = RobustMode.WhenSupported };

    private readonly List<LaneEnd> _ends = [];
    private byte[] _stored = [];

    public void Dispose() => _ends.ForEach(end => end.Dispose());

    private static byte[] Body(int length, int seed = 1)
    {
        var body = new byte[length];
        new Random(seed).NextBytes(body);
        return body;
    }

    private (LaneEnd Client, LaneEnd Server) Ends(Wire wire, ClientTransferSettings? transfers = null, CoapServerSettings? settings = null)
    {
        var client = LaneEnd.Client(wire, new CoapClientSettings { ClientTransfers = transfers ?? Robust, RequestIdleTimeout = TimeSpan.FromHours(1) });
        var server = LaneEnd.Server(wire, Map, (settings ?? new CoapServerSettings()) with { MaxInlinePayload = int.MaxValue });
        _ends.AddRange([client, server]);
        return (client, server);
    }

    private void Map(ResourceMap resources)
    {
        WellKnownCore.MapOn(resources);
        resources.At("body")
            .Put(request => Store(request.Payload), HandlerMode.Inline)
            .Fetch(request => new CoapResponse(ResponseCode.Content) { Payload = request.Payload.ToArray().Reverse().ToArray() }, HandlerMode.Inline)
            .Get(_ => new CoapResponse(ResponseCode.Content) { Payload = _stored }, HandlerMode.Inline);
    }

    private CoapResponse Store(ReadOnlyMemory<byte> body)
    {
        _stored = body.ToArray();
        return Response.Changed;
    }

    private static Wire Slow() => new(new ManualClock()) { Latency = TimeSpan.FromMilliseconds(50) };

    private static CoapRequest Put(byte[] body) => new(RequestCode.Put, "/body") { Payload = body };

    private static TimeSpan Time(Wire wire, Task call)
    {
        var begin = wire.Time.Elapsed;
        wire.RunUntil(() => call.IsCompleted).Should().BeTrue();
        return wire.Time.Elapsed - begin;
    }

    [Fact, Trait("RFC", "9177 7")]
    public void All_blocks_of_a_body_are_non_confirmable()
    {
        var wire = Slow();
        var (client, _) = Ends(wire);
        var call = client.Send(Put(Body(20_000)));

        Time(wire, call);

        _stored.Should().Equal(Body(20_000));
        var blocks = wire.Sent(Direction.ToServer).Select(sent => WireMessage.Read(sent.Bytes)).Where(message => message.Payload.Length > 0);
        blocks.Should().HaveCountGreaterThanOrEqualTo(20).And.OnlyContain(message => message.Type == 1);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    [Trait("RFC", "9177 7.2")]
    public void A_mebibyte_takes_at_most_an_eighth_of_the_time_of_lockstep(bool isUpload)
    {
        var times = new Dictionary<RobustMode, TimeSpan>();
        foreach (var mode in new[] { RobustMode.Off, RobustMode.WhenSupported })
        {
            var wire = Slow();
            var (client, _) = Ends(wire, new ClientTransferSettings { RobustMode = mode });
            _stored = isUpload ? [] : Body(1 << 20);
            var call = client.Send(isUpload ? Put(Body(1 << 20)) : new CoapRequest(RequestCode.Get, "/body"));
            times[mode] = Time(wire, call);
            (isUpload ? _stored : call.Answer().Payload.ToArray()).Should().Equal(Body(1 << 20));
        }

        times[RobustMode.Off].Should().BeGreaterThan(TimeSpan.FromSeconds(102));
        (times[RobustMode.Off] / times[RobustMode.WhenSupported]).Should().BeGreaterThanOrEqualTo(8);
    }

    [Theory]
    [InlineData(RobustMode.Off)]
    [InlineData(RobustMode.WhenSupported)]
    public void A_request_may_choose_for_itself(RobustMode mode)
    {
        var wire = Slow();
        var (client, _) = Ends(wire, new ClientTransferSettings { RobustMode = mode });
        var other = mode == RobustMode.Off ? RobustMode.WhenSupported : RobustMode.Off;

        var call = client.Send(new CoapRequest(RequestCode.Put, "/body") { Payload = Body(20_000), RobustMode = other });
        Time(wire, call);

        wire.Sent(Direction.ToServer).Count(sent => sent.Bytes[0] >> 4 == 5).Should().Be(other == RobustMode.Off ? 0 : 20, "non-confirmable blocks");
    }

    [Fact]
    [Trait("RFC", "9177 4.1")]
    public void A_peer_that_says_4_02_gets_blocks_of_RFC_7959_and_is_not_asked_again()
    {
        var wire = Slow();
        var (client, _) = Ends(wire, settings: new CoapServerSettings { RobustTransfers = new() { AcceptsFromPeers = false } });

        Time(wire, client.Send(Put(Body(3000))));
        _stored.Should().Equal(Body(3000));
        wire.Sent(Direction.ToServer).Should().HaveCount(1 + 3);
        var second = client.Send(new CoapRequest(RequestCode.Get, "/body"));
        Time(wire, second);

        second.Answer().Payload.ToArray().Should().Equal(Body(3000));
        wire.Sent(Direction.ToServer).Should().HaveCount(1 + 3 + 3);
    }

    [Fact]
    [Trait("RFC", "9177 4.1")]
    public void The_peer_is_asked_once_for_whether_it_supports_them()
    {
        var wire = Slow();
        var (client, server) = Ends(wire);

        Time(wire, client.Send(Put(Body(3000))));
        Time(wire, client.Send(Put(Body(3000, 2))));

        wire.Sent(Direction.ToServer).Should().HaveCount(1 + 3 + 3);
        _stored.Should().Equal(Body(3000, 2));
        wire.RunUntilIdle();
        (client.Leftovers, server.Leftovers).Should().Be((Nothing, Nothing));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(1024)]
    [InlineData(1200)]
    [InlineData(30_000)]
    [Trait("RFC", "9177 4.4")]
    public void A_GET_costs_one_round_trip_more_at_the_most(int length)
    {
        var wire = Slow();
        var (client, server) = Ends(wire);
        _stored = Body(length);

        var call = client.Send(new CoapRequest(RequestCode.Get, "/body"));
        var sets = 1 + (Math.Max(length - 1, 0) / 10_240);

        Time(wire, call).Should().Be(TimeSpan.FromMilliseconds(100 * (length <= 1024 ? 1 : 1 + sets)));
        call.Answer().Payload.ToArray().Should().Equal(_stored);
        wire.RunUntilIdle();
        (client.Leftovers, server.Leftovers).Should().Be((Nothing, Nothing));
    }

    [Fact]
    [Trait("RFC", "9177 4.1"), Trait("RFC", "9177 4.7")]
    public void A_FETCH_has_bodies_in_both_directions()
    {
        var wire = Slow();
        var (client, _) = Ends(wire);

        var call = client.Send(new CoapRequest(RequestCode.Fetch, "/body") { Payload = Body(15_000) });
        Time(wire, call);

        call.Answer().Payload.ToArray().Should().Equal(Body(15_000).Reverse());
        var blocks = wire.Sent(Direction.ToClient).Select(static sent => WireMessage.Read(sent.Bytes.ToArray()))
            .Where(static message => message.Payload.Length > 500);
        blocks.Should().HaveCount(15).And.OnlyContain(
            static message => message.Options.Any(option => option.Number == 31) && message.Options.All(option => option.Number != 23),
            "Q-Block1 in the request says that the client takes Q-Block2");
    }

    [Fact]
    [Trait("RFC", "9177 4.3")]
    public void A_refusal_ends_the_upload_and_the_caller_sees_it()
    {
        var wire = Slow();
        var (client, server) = Ends(wire, settings: new CoapServerSettings { ServerTransfers = new() { MaxBodySize = 50_000 } });

        var call = client.Send(Put(Body(60_000)));
        Time(wire, call);

        call.Answer().Code.Should().Be(ResponseCode.RequestEntityTooLarge);
        wire.RunUntilIdle();
        wire.Sent(Direction.ToServer).Count(sent => sent.Bytes[0] >> 4 == 5).Should().Be(10, "nothing is sent after the refusal but what was under way");
        (client.Leftovers, server.Leftovers).Should().Be((Nothing, Nothing));
    }

    // The server asks for what is missing, with a token that the client has forgotten.
    [Fact]
    [Trait("RFC", "9177 4.3")]
    public void A_cancelled_transfer_leaves_nothing()
    {
        var wire = Slow();
        var (client, server) = Ends(wire);
        using var stop = new CancellationTokenSource();
        var call = client.Send(Put(Body(60_000)), cancellationToken: stop.Token);
        wire.RunFor(TimeSpan.FromMilliseconds(250));

        stop.Cancel();

        wire.RunUntilIdle();
        call.IsCanceled.Should().BeTrue();
        _stored.Should().BeEmpty();
        wire.Sent(Direction.ToServer).Count(sent => sent.Bytes[0] >> 4 == 7).Should().Be(1, "a Reset answers the 4.08");
        (client.Leftovers, server.Leftovers).Should().Be((Nothing, Nothing));
    }

    [Fact]
    [Trait("RFC", "9177 3.2"), Trait("RFC", "7252 4.7")]
    public void Transfers_with_one_peer_wait_for_each_other()
    {
        var wire = Slow();
        var (client, _) = Ends(wire);

        var calls = Enumerable.Range(1, 3).Select(seed => client.Send(Put(Body(11_000, seed)))).ToArray();
        wire.RunFor(TimeSpan.FromMilliseconds(190));
        var inFirstSet = wire.Sent(Direction.ToServer).Count(sent => sent.Bytes[0] >> 4 == 5);
        wire.RunUntil(() => calls.All(call => call.IsCompleted)).Should().BeTrue();

        inFirstSet.Should().Be(10);
        _stored.Should().Equal(Body(11_000, 3));
    }

    [Fact]
    public void Calls_that_were_canceled_while_they_waited_give_up_their_places()
    {
        var wire = Slow();
        var client = LaneEnd.Client(wire, new CoapClientSettings { ClientTransfers = Robust, MaxQueuedRequests = 3 });
        _ends.AddRange([client, LaneEnd.Server(wire, Map, new CoapServerSettings { MaxInlinePayload = int.MaxValue })]);
        var first = client.Send(Put(Body(11_000)));
        for (var i = 0; i < 10; i++)
        {
            using var stop = new CancellationTokenSource();
            _ = client.Send(Put(Body(11_000)), cancellationToken: stop.Token);
            stop.Cancel();
            wire.RunFor(TimeSpan.Zero);
        }

        var others = Enumerable.Range(2, 4).Select(seed => client.Send(Put(Body(11_000, seed)))).ToArray();
        wire.RunUntil(() => others.All(call => call.IsCompleted)).Should().BeTrue();

        first.Answer().Code.Should().Be(ResponseCode.Changed);
        others.Take(3).Should().OnlyContain(static call => call.IsCompletedSuccessfully);
        others[3].Invoking(static call => call.Answer()).Should().Throw<CoapBusyException>().WithMessage("3 robust transfers*");
        _stored.Should().Equal(Body(11_000, 4));
    }

    [Fact]
    public void When_the_peer_falls_silent_the_call_fails()
    {
        var wire = Slow();
        var (client, _) = Ends(wire);
        var call = client.Send(Put(Body(60_000)));
        for (var nth = 1; nth < 200; nth++) { wire.Drop(Direction.ToClient, 2 + nth); }

        wire.RunUntilIdle();

        call.Exception!.InnerException.Should().BeOfType<CoapTransferException>().Which.InnerException.Should().BeOfType<CoapTimeoutException>();
        client.Leftovers.Should().Be(Nothing);
    }

    [Fact]
    public void A_hundred_runs_over_a_bad_wire_end_with_the_right_bytes_or_a_clear_error_and_leave_nothing()
    {
        var failed = 0;
        for (var seed = 0; seed < 100; seed++)
        {
            var wire = new Wire(new ManualClock(), seed) { Latency = TimeSpan.FromMilliseconds(50), Jitter = TimeSpan.FromMilliseconds(200), Loss = 0.2, Duplication = 0.1 };
            var (client, server) = Ends(wire);
            var body = Body(1 + (seed * 331), seed);
            var call = client.Send(new CoapRequest(RequestCode.Fetch, "/body") { Payload = body });

            wire.RunUntilIdle();

            call.IsCompleted.Should().BeTrue($"seed {seed}");
            if (call.IsFaulted) { call.Exception!.InnerException.Should().BeAssignableTo<CoapException>($"seed {seed}"); }
            if (call.IsFaulted || !call.Answer().IsSuccess) { failed++; }
            else { call.Answer().Payload.ToArray().Should().Equal(body.Reverse(), $"seed {seed}"); }
            (client.Leftovers, server.Leftovers).Should().Be((Nothing, Nothing), $"seed {seed}");
        }
        failed.Should().BeLessThan(10);
    }
}
