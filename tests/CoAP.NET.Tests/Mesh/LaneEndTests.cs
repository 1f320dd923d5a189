using System.Threading.Tasks.Dataflow;
using CoAP.Lanes;
using CoAP.TestSupport;

namespace CoAP.Tests.Mesh;

/// <summary>Items that a user's block still holds when the lane ends.</summary>
public sealed class LaneEndTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _client;
    private LaneEnd? _server;

    public LaneEndTests() => _client = ScriptedPeer.Client(_wire);

    public void Dispose()
    {
        _client.Dispose();
        _server?.Dispose();
    }

    [Fact]
    public void A_stage_sends_its_last_frame_before_the_sockets_are_closed()
    {
        var server = Serve(MeshLink.Stages(lane => lane.Insert(MeshArrow.FramesOut, new Farewell(_client.Self))));

        server.Dispose();

        _client.Expect("NON [0x7777] 2.05 Content");
    }

    [Fact]
    public void A_request_that_a_block_holds_is_in_progress_until_the_block_returns_it()
    {
        var held = new BufferBlock<IncomingRequest>();
        var block = DataflowBlock.Encapsulate(held, new BufferBlock<IncomingRequest>());
        var server = Serve(MeshLink.Through(MeshArrow.HandlerRequests, () => block));
        _client.Send("NON [0x0001] GET /r (Token 0x01)");
        _client.ExpectNothing(seconds: 1);

        server.Lane.PendingRequests.Should().Be(1);
        var drained = server.Drain();
        _client.ExpectNothing(seconds: 1);
        drained.IsCompleted.Should().BeFalse();
    }

    [Fact]
    public void A_request_that_a_block_never_returns_is_lost_when_the_lane_ends()
    {
        var block = DataflowBlock.Encapsulate(new BufferBlock<IncomingRequest>(), new BufferBlock<IncomingRequest>());
        var server = Serve(MeshLink.Through(MeshArrow.HandlerRequests, () => block));
        _client.Send("NON [0x0001] GET /r (Token 0x01)");
        _client.ExpectNothing(seconds: 1);

        server.Dispose();

        server.Lane.Metrics[RequestEnd.Lost].Should().Be(1);
        server.Lane.PendingRequests.Should().Be(0);
    }

    [Fact]
    public void The_requests_of_a_block_that_fails_get_5_00()
    {
        var block = new TransformBlock<IncomingRequest, IncomingRequest>(static IncomingRequest (_) => throw new InvalidOperationException("The block failed."));
        var server = Serve(MeshLink.Through(MeshArrow.HandlerRequests, () => block));
        server.ToleratesFaults = true;
        _client.Send("CON [0x0001] GET /r (Token 0x01)");
        _wire.RunUntilIdle(TimeSpan.Zero);
        server.AwaitWork();

        _client.Expect("ACK [0x0001] 5.00 Internal Server Error (Token 0x01) '*'");
        server.Lane.PendingRequests.Should().Be(0);
        server.Lane.Metrics[RequestEnd.Failed].Should().Be(1);
    }

    private LaneEnd Serve(MeshLink link) => _server = LaneEnd.Server(
        _wire, map => map.At("r").Get(_ => Response.Content("a"), HandlerMode.Inline), new() { Links = [link] });

    private sealed class Farewell(PeerIdentity peer) : InlineStage<Frame, Frame>
    {
        protected override void Process(in Frame item) => Out.Emit(item);

        protected override void OnCompleted()
        {
            Out.Emit(new Frame(new ChannelKey(peer, PeerIdentity.From("server")), Hex.Bytes("50 45 77 77")));
            base.OnCompleted();
        }
    }
}
