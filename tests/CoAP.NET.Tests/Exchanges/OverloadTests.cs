using CoAP.Lanes;
using CoAP.TestSupport;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Exchanges;

/// <summary>Overload is answered by dropping or by 5.03, never by growing; and the end answers what was accepted.</summary>
public sealed class OverloadTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly LateAnswer _late = new();
    private readonly ScriptedPeer _client;
    private LaneEnd? _server;

    public OverloadTests() => _client = ScriptedPeer.Client(_wire);

    public void Dispose()
    {
        _client.Dispose();
        _server?.Dispose();
    }

    [Fact]
    public void Requests_beyond_the_share_of_a_peer_get_4_29_and_those_that_come_later_are_served()
    {
        Serve(new() { MaxPendingRequests = 4 });
        for (var id = 1; id <= 5; id++) { _client.Send($"CON [0x000{id}] GET /late (Token 0x0{id})"); }
        for (var id = 3; id <= 5; id++) { _client.Expect($"ACK [0x000{id}] 4.29 Too Many Requests (Token 0x0{id}) {{Max-Age: 1}}"); }
        _client.ExpectNothing(seconds: 0.1);
        _server!.Lane.PendingRequests.Should().Be(2);

        _late.Answer(Response.Changed);
        _client.Expect("ACK [0x0001] 2.04 Changed (Token 0x01)");
        _client.Send("CON [0x0006] GET /late (Token 0x06)");
        _client.ExpectNothing(seconds: 0.1);

        _late.Calls.Should().Be(3);
    }

    [Fact]
    public void Requests_beyond_the_capacity_are_dropped_and_counted()
    {
        Serve(new() { MaxPendingRequests = 1 });
        for (var id = 1; id <= 5; id++) { _client.Send($"CON [0x000{id}] GET /late (Token 0x0{id})"); }
        _client.ExpectNothing(seconds: 0.1);

        _server!.Lane.PendingRequests.Should().Be(1);
        _server.Lane.Metrics[LaneCounters.DroppedForOverload].Should().Be(4);
    }

    [Fact]
    public void Acknowledgements_pass_while_requests_are_dropped()
    {
        Serve(new() { MaxPendingRequests = 1 });
        _client.Send("CON [0x0001] GET /late (Token 0x01)");
        _client.Expect("ACK [0x0001]");
        _late.Answer(Response.Changed);
        _client.Expect("CON [Y] 2.04 Changed (Token 0x01)");
        _client.Send("CON [0x0002] GET /late (Token 0x02)");
        _client.Expect("ACK [0x0002]");

        _client.Send("ACK [Y]");

        _client.ExpectNothing(seconds: 100);
    }

    [Fact]
    public void Refused_requests_write_one_line_that_names_the_account_and_the_limit()
    {
        Serve(new() { MaxPendingRequests = 4 });

        for (var id = 1; id <= 9; id++) { _client.Send($"CON [0x000{id}] GET /late (Token 0x0{id})"); }
        _client.TakeAll(seconds: 0.1);
        _server!.Log.Lines(LogLevel.Warning).Should().ContainSingle().Which.Should().Contain(
            "client holds 2 of 4 (MaxPendingRequests), and all accounts together hold 2. One account may hold at most as many as are still free.");
        _client.TakeAll(seconds: 10);
        _client.Send("CON [0x0010] GET /late (Token 0x10)");
        _client.TakeAll(seconds: 0.1);

        _server.Log.Lines(LogLevel.Warning).Should().HaveCount(2).And.Subject.Last().Should().Contain("since the last one: 6.");
    }

    [Fact]
    public void A_declined_observation_writes_a_line()
    {
        _server = LaneEnd.Server(_wire, map => map.At("state").Observable().Get(_ => Response.Content("a"), HandlerMode.Inline), new() { ServerObservations = new() { MaxObservations = 0 } });

        _client.Send("CON [0x0001] GET /state (Token 0x01) {Observe: 0}");
        _client.Expect("ACK [0x0001] 2.05 Content (Token 0x01) {Content-Format: 0} 'a'");

        _server.Log.Lines(LogLevel.Warning).Should().ContainSingle().Which.Should().Contain("client holds 0 of 0 (MaxObservations)");
    }

    [Fact]
    public void Dropped_requests_write_a_line()
    {
        Serve(new() { MaxPendingRequests = 1 });
        _client.Send("CON [0x0001] GET /late (Token 0x01)");
        _client.TakeAll(seconds: 0.1);

        using var other = ScriptedPeer.Client(_wire, "other");
        other.Send("CON [0x0001] GET /late (Token 0x01)");
        other.ExpectNothing(seconds: 0.1);

        _server!.Log.Lines(LogLevel.Warning).Should().ContainSingle().Which.Should().Contain("other holds 0 of 1 (MaxPendingRequests), and all accounts together hold 1.");
    }

    [Fact, Trait("RFC", "7252 5.9.3.4")]
    public void A_full_queue_of_buffered_handlers_gives_5_03_with_Max_Age()
    {
        using var gate = new ManualResetEventSlim();
        Serve(new() { MaxHandlerQueue = 1 }, gate);
        _client.Send("CON [0x0001] GET /blocking (Token 0x01)");
        _client.ExpectNothing(seconds: 0.1);

        _client.Send("CON [0x0002] GET /blocking (Token 0x02)");
        _client.Expect("ACK [0x0002] 5.03 Service Unavailable (Token 0x02) {Max-Age: 1}", at: 0.1);

        _server!.DiscardWork();
        gate.Set();
        _server.AwaitWork();
        _client.Expect("ACK [0x0001] 2.04 Changed (Token 0x01)", at: 0.1);
    }

    // The pool begins with a thread for each core and adds one in half a second: a few handlers that block there would hold up all connections.
    [Fact]
    public void Buffered_handlers_take_no_thread_of_the_pool_that_gives_connections_their_turns()
    {
        var isOfThePool = true;
        _server = LaneEnd.Server(_wire, map => map.At("blocking").Get(_ =>
        {
            isOfThePool = Thread.CurrentThread.IsThreadPoolThread;
            return Response.Changed;
        }));

        _client.Send("CON [0x0001] GET /blocking (Token 0x01)");
        _wire.RunUntilIdle(TimeSpan.Zero);
        _server.AwaitWork();

        _client.Expect("ACK [0x0001] 2.04 Changed (Token 0x01)");
        isOfThePool.Should().BeFalse();
    }

    [Fact]
    public void A_large_request_to_an_inline_handler_is_handled_behind_the_buffer()
    {
        var laneThread = Environment.CurrentManagedThreadId;
        var handlerThread = laneThread;
        _server = LaneEnd.Server(_wire, map => map.At("body").Post(
            request =>
            {
                handlerThread = Environment.CurrentManagedThreadId;
                return Response.Content($"{request.Payload.Length} bytes");
            }, HandlerMode.Inline), new() { MaxInlinePayload = 100 });

        _client.Send($"CON [0x0001] POST /body (Token 0x01) '{new string('x', 100)}'");
        _client.Expect("ACK [0x0001] 2.05 Content (Token 0x01) {Content-Format: 0} '100 bytes'");
        handlerThread.Should().Be(laneThread);
        _server.DiscardWork();
        _client.Send($"CON [0x0002] POST /body (Token 0x02) '{new string('x', 101)}'");
        _wire.RunUntilIdle(TimeSpan.Zero);
        _server.AwaitWork();

        _client.Expect("ACK [0x0002] 2.05 Content (Token 0x02) {Content-Format: 0} '101 bytes'");
        handlerThread.Should().NotBe(laneThread);
    }

    [Fact]
    public void An_inline_handler_that_keeps_holding_its_lane_is_moved_behind_the_buffer_and_named_in_the_log()
    {
        var calls = 0;
        _server = LaneEnd.Server(_wire, map => map.At("greedy").Get(
            _ =>
            {
                calls++;
                _wire.Time.Advance(TimeSpan.FromMilliseconds(3));
                return Response.Changed;
            }, HandlerMode.Inline));

        for (var id = 1; id <= 9 && !_server.Log.Lines(LogLevel.Warning).Any(); id++)
        {
            _client.Send($"CON [0x000{id}] GET /greedy (Token 0x01)");
            _client.Expect($"ACK [0x000{id}] 2.04 Changed (Token 0x01)");
        }

        calls.Should().BeInRange(2, 8, "one call that is slow proves nothing");
        _server.Log.Lines(LogLevel.Warning).Should().ContainSingle().Which.Should().Contain("greedy");
    }

    [Fact]
    public void An_inline_handler_that_holds_its_lane_for_more_than_a_second_is_named_at_once()
    {
        _server = LaneEnd.Server(_wire, map => map.At("stuck").Get(
            _ =>
            {
                _wire.Time.Advance(TimeSpan.FromSeconds(1.5));
                return Response.Changed;
            }, HandlerMode.Inline));

        _client.Send("CON [0x0001] GET /stuck (Token 0x01)");
        _client.Expect("ACK [0x0001] 2.04 Changed (Token 0x01)");

        _server.Log.Lines(LogLevel.Warning).Should().ContainSingle().Which.Should().Contain("stuck").And.Contain("1.5 s");
    }

    [Fact]
    public void The_end_waits_for_what_was_accepted_and_takes_nothing_new()
    {
        Serve(new());
        _client.Send("CON [0x0001] GET /late (Token 0x01)");
        _client.Expect("ACK [0x0001]");

        var drained = _server!.Drain();
        _client.Send("CON [0x0002] GET /late (Token 0x02)");
        _client.ExpectNothing(seconds: 1);
        drained.IsCompleted.Should().BeFalse();
        _late.Answer(Response.Changed);
        _client.Expect("CON [Y] 2.04 Changed (Token 0x01)");

        _server.Lane.PendingRequests.Should().Be(0);
        _server.Lane.Metrics[LaneCounters.DroppedAtEnd].Should().Be(1);
    }

    // What needs no answer must not stay in the memory of duplicates as if it were still being handled.
    [Fact, Trait("RFC", "7252 4.5")]
    public void Non_confirmable_responses_do_not_fill_the_memory_of_duplicates()
    {
        var settings = new CoapClientSettings { Deduplication = new() { Capacity = 16 } };
        using var requester = LaneEnd.Client(_wire, settings, "requester");
        Serve(new());

        for (var i = 0; i < 200; i++)
        {
            var call = requester.Get("/quick", confirmable: false);
            _wire.RunUntil(() => call.IsCompleted, TimeSpan.FromSeconds(1));
            call.Answer().Code.Should().Be(ResponseCode.Changed);
        }

        requester.Lane.Metrics[LaneCounters.DroppedForOverload].Should().Be(0);
    }

    private void Serve(CoapServerSettings settings, ManualResetEventSlim? gate = null) => _server = LaneEnd.Server(_wire, map =>
    {
        map.At("late").Get(_late.HandleAsync);
        map.At("quick").Get(_ => Response.Changed, HandlerMode.Inline);
        map.At("blocking").Get(_ =>
        {
            gate!.Wait(TimeSpan.FromMinutes(1)).Should().BeTrue();
            return Response.Changed;
        });
    }, settings);
}
