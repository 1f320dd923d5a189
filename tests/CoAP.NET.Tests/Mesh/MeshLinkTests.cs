using System.Threading.Tasks.Dataflow;
using CoAP.Blocks;
using CoAP.TestSupport;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Mesh;

/// <summary>Blocks of the user's own at each arrow of the mesh.</summary>
public sealed class MeshLinkTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);      // of real time: user blocks run on threads of their own

    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _client;
    private LaneEnd? _server;
    private int _requests;

    public MeshLinkTests() => _client = ScriptedPeer.Client(_wire);

    public static TheoryData<string> Arrows => ["frames in", "messages in", "requests", "answers", "messages out", "frames out"];

    public void Dispose()
    {
        _client.Dispose();
        _server?.Dispose();
    }

    [Theory, MemberData(nameof(Arrows))]
    public async Task A_tap_sees_what_passes_its_arrow(string arrow)
    {
        var seen = new BufferBlock<string>();
        Serve(At(arrow, new Tap(name => seen.Post(name))));

        Ask();

        (await seen.ReceiveAsync(Patience)).Should().Be(arrow);
        seen.Count.Should().Be(0);
    }

    [Theory, MemberData(nameof(Arrows))]
    public async Task A_tap_that_fails_is_unlinked_and_traffic_goes_on(string arrow)
    {
        Serve(At(arrow, new Tap(_ => throw new InvalidOperationException("a bug of the user's"))));

        Ask();
        (await _server!.Log.FirstError.WaitAsync(Patience)).Should().Contain("block");
        Ask();

        _server.Log.Lines(LogLevel.Error).Should().ContainSingle();
    }

    [Fact]
    public async Task A_tap_that_does_not_keep_up_misses_items_and_holds_nobody_up()
    {
        var before = Volatile.Read(ref MeshCounters.Overflows);
        var stuck = new BufferBlock<IncomingRequest>(new() { BoundedCapacity = 1 });
        Serve(MeshLink.Tap(MeshArrow.Requests, stuck, capacity: 1));

        for (var i = 0; i < 10; i++) { Ask(); }

        (Volatile.Read(ref MeshCounters.Overflows) - before).Should().BeGreaterThanOrEqualTo(7, "one item is in the block, one in the queue, and perhaps one on the way");
        (await stuck.ReceiveAsync(Patience)).Path.Should().Be("/hello");
    }

    [Theory, MemberData(nameof(Arrows))]
    public void A_filter_lets_pass_what_it_accepts_and_drops_the_rest(string arrow)
    {
        var accepts = true;
        Serve(At(arrow, new Filter(() => accepts)));

        Ask();
        accepts = false;
        _client.Send("CON [0x0100] GET /hello (Token 0x01)");

        _client.ExpectNothing(seconds: 10);
    }

    [Theory, MemberData(nameof(Arrows))]
    public void A_filter_that_throws_drops_that_item_alone(string arrow)
    {
        var calls = 0;
        Serve(At(arrow, new Filter(() => calls++ == 0 ? throw new InvalidOperationException("a bug of the user's") : true)));

        _client.Send("CON [0x0100] GET /hello (Token 0x01)");
        _client.ExpectNothing(seconds: 1);

        Ask();
        _server!.Log.Lines(LogLevel.Error).Should().ContainSingle();
    }

    [Fact, Trait("RFC", "7252 4.5")]
    public void A_dropped_request_was_never_there_and_may_pass_when_it_is_sent_again()
    {
        var accepts = false;
        Serve(MeshLink.Filter(MeshArrow.Requests, _ => accepts));
        _client.Send("CON [0x0100] GET /hello (Token 0x01)");
        _client.ExpectNothing(seconds: 2);

        accepts = true;
        _client.Send("CON [0x0100] GET /hello (Token 0x01)");

        _client.Expect("ACK [0x0100] 2.04 Changed (Token 0x01)");
    }

    [Theory, Trait("RFC", "7252 4.5")]
    [InlineData("answers"), InlineData("messages out"), InlineData("frames out")]
    public void A_request_whose_answer_was_dropped_is_settled_but_not_handled_again(string arrow)
    {
        const int More = 4096;      // than deduplication holds here
        Serve(At(arrow, new Filter(() => false)));

        for (var i = 0; i < More; i++)
        {
            _client.Send($"NON [0x{i:x4}] GET /hello (Token 0x01)");
            _wire.RunUntilIdle(TimeSpan.Zero);
        }
        _client.Send("CON [0xf000] GET /hello (Token 0x01)");
        _client.Send("CON [0xf000] GET /hello (Token 0x01)");
        _client.ExpectNothing(seconds: 1);

        _requests.Should().Be(More + 1);
    }

    [Theory, MemberData(nameof(Arrows))]
    public void An_item_that_a_block_passes_on_enters_the_mesh_again(string arrow)
    {
        Serve(At(arrow, new Through(() => { }, OverflowRule.Drop)));

        Ask(detours: 1);
        Ask(detours: 1);

        _requests.Should().Be(2);
    }

    [Theory]
    [InlineData("requests", OverflowRule.Bypass), InlineData("frames in", OverflowRule.Bypass), InlineData("frames out", OverflowRule.Bypass)]
    [InlineData("requests", OverflowRule.Drop), InlineData("frames in", OverflowRule.Drop), InlineData("frames out", OverflowRule.Drop)]
    public async Task A_detour_that_fails_is_passed_by_or_drops_as_its_rule_says(string arrow, OverflowRule rule)
    {
        Serve(At(arrow, new Through(() => throw new InvalidOperationException("a bug of the user's"), rule)));
        _client.Send("CON [0x0100] GET /hello (Token 0x01)");
        _wire.RunUntilIdle(TimeSpan.Zero);
        await _server!.Log.FirstError.WaitAsync(Patience);
        if (arrow == "requests")
        {
            _server.AwaitWork();
            _client.Expect("ACK [0x0100] 5.00 Internal Server Error (Token 0x01) '*'");
        }

        if (rule == OverflowRule.Bypass) { Ask(); }
        else
        {
            _client.Send("CON [0x0101] GET /hello (Token 0x01)");
            _client.ExpectNothing(seconds: 10);
        }
    }

    [Fact]
    public async Task A_batch_of_requests_can_be_gathered_beside_the_handlers()
    {
        var batches = new BatchBlock<IncomingRequest>(3);
        Serve(MeshLink.Tap(MeshArrow.Requests, batches));

        for (var i = 0; i < 3; i++) { Ask(); }

        (await batches.ReceiveAsync(Patience)).Select(request => request.Path).Should().Equal("/hello", "/hello", "/hello");
    }

    [Fact]
    public void Links_at_the_same_arrow_follow_each_other_in_their_order()
    {
        var order = new List<int>();
        MeshLink Note(int number) => MeshLink.Filter(MeshArrow.Requests, _ =>
        {
            order.Add(number);
            return number < 3;
        });
        Serve(Note(1), Note(2), Note(3), Note(4));

        _client.Send("CON [0x0100] GET /hello (Token 0x01)");
        _client.ExpectNothing(seconds: 1);

        order.Should().Equal(1, 2, 3);
    }

    private void Serve(params MeshLink[] links) => _server = LaneEnd.Server(_wire, map => map.At("hello").Get(
        _ =>
        {
            _requests++;
            return Response.Changed;
        }, HandlerMode.Inline), new() { Links = links });

    private void Ask(int detours = 0)
    {
        var id = $"0x02{_requests:x2}";
        _server!.DiscardWork();
        _client.Send($"CON [{id}] GET /hello (Token 0x01)");
        _wire.RunUntilIdle(TimeSpan.Zero);
        for (; detours > 0; detours--) { _server.AwaitWork(); }
        _client.Expect($"ACK [{id}] 2.04 Changed (Token 0x01)");
    }

    private static MeshLink At(string arrow, ILinkMaker maker) => arrow switch
    {
        "frames in" => maker.Make(MeshArrow.FramesIn),
        "messages in" => maker.Make(MeshArrow.MessagesIn),
        "requests" => maker.Make(MeshArrow.Requests),
        "answers" => maker.Make(MeshArrow.Answers),
        "messages out" => maker.Make(MeshArrow.MessagesOut),
        _ => maker.Make(MeshArrow.FramesOut),
    };

    private interface ILinkMaker
    {
        MeshLink Make<T>(MeshArrow<T> arrow);
    }

    private sealed class Tap(Action<string> see) : ILinkMaker
    {
        public MeshLink Make<T>(MeshArrow<T> arrow) => MeshLink.Tap(arrow, new ActionBlock<T>(_ => see(arrow.Name)));
    }

    private sealed class Filter(Func<bool> accepts) : ILinkMaker
    {
        public MeshLink Make<T>(MeshArrow<T> arrow) => MeshLink.Filter(arrow, _ => accepts());
    }

    private sealed class Through(Action work, OverflowRule rule) : ILinkMaker
    {
        public MeshLink Make<T>(MeshArrow<T> arrow) => MeshLink.Through(arrow, () => new TransformBlock<T, T>(Pass), rule);

        private T Pass<T>(T item)
        {
            work();
            return item;
        }
    }
}
