using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Hostile;

/// <summary>A slow upload that has the turn of a path, and others that want to change the same path (DESIGN: slow is as dangerous as fast).</summary>
public sealed class HeldPathsTests : IDisposable
{
    private const int Changed = 0x44;
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly Wire _wire = new(new ManualClock());
    private readonly ServedPaths _paths;
    private readonly LaneEnd _server;
    private readonly ScriptedPeer _slow;
    private readonly List<ScriptedPeer> _peers = [];
    private readonly SemaphoreSlim _gates = new(0);
    private readonly TaskCompletionSource _gate = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _blocks;

    public HeldPathsTests()
    {
        _paths = new ServedPaths(_wire);
        _server = LaneEnd.Server(
            _wire,
            map =>
            {
                _paths.At(map, "f").Put(_paths.ReadAsync).Delete(_paths.Delete).StreamsBody();
                _paths.At(map, "sync").Put(_paths.Read, HandlerMode.Buffered).Delete(_paths.Delete).StreamsBody();
                _paths.At(map, "gated").Put(_paths.ReadAsync).Delete(DeleteAsync).StreamsBody();
                map.At("work").Get(static _ => Response.Content("done"), HandlerMode.Buffered);
            },
            new CoapServerSettings { HandlerThreads = 2 });
        _slow = Peer("slow");
    }

    public void Dispose()
    {
        _peers.ForEach(static peer => peer.Dispose());
        _server.Dispose();
        _paths.Dispose();
        _gates.Dispose();
    }

    // Slow                Server               Honest
    //    | PUT 0/1/16       |                     |
    //    +----------------->|      PUT, DELETE    |
    //    | PUT 1/1/16       |<--------------------+
    //    +----------------->|                     |   every 4 s
    //    |             4.08 |  2.04               |   10 s after the request that waits
    //    |<-----------------+-------------------->|
    [Theory]
    [InlineData("f", "PUT"), InlineData("f", "DELETE"), InlineData("sync", "PUT"), InlineData("sync", "DELETE")]
    public void A_slow_upload_keeps_others_waiting_for_ten_seconds_at_most(string resource, string method)
    {
        Begin(resource);
        var honest = Peer("honest");
        honest.Send($"NON [0x0001] {method} /{resource}/a (Token 0x01){(method == "PUT" ? " 'x'" : "")}");
        _wire.RunFor(TimeSpan.Zero);
        SpinWait.SpinUntil(() => _paths.Resources[resource].Conditions!.Turns.IsAwaited($"/{resource}/a"), Patience).Should().BeTrue();

        for (var i = 0; i < 2; i++)
        {
            _wire.RunFor(TimeSpan.FromSeconds(4));
            Continue(resource);
        }
        _paths.CodesOf(honest).Should().BeEmpty("the turn of the upload is not over");
        _wire.RunFor(TimeSpan.FromSeconds(2.5));

        AwaitAnswer(honest);
        _paths.CodesOf(honest).Should().Equal(method == "PUT" ? Changed : 0x42);
        _paths.Served.Should().Equal("honest");
    }

    [Fact]
    public void A_request_whose_body_is_there_comes_before_uploads_that_began_to_wait_earlier()
    {
        Begin("f");
        for (var i = 0; i < 5; i++) { Peer($"other{i}").Send($"NON [0x0001] PUT /f/a (Token 0x01) {{Block1: 0/1/16}} '0123456789abcdef'"); }
        var honest = Peer("honest");
        honest.Send("NON [0x0001] PUT /f/a (Token 0x01) 'x'");

        _wire.RunFor(TimeSpan.FromSeconds(10.5));

        AwaitAnswer(honest);
        _paths.Served.Should().Equal("honest");
    }

    // Otherwise each of many slow uploads would hold the path again after a few honest requests.
    [Fact]
    public void All_requests_whose_bodies_are_there_come_before_the_next_slow_upload()
    {
        const int Count = 40;
        Begin("f");
        for (var i = 0; i < 5; i++) { Peer($"other{i}").Send("NON [0x0001] PUT /f/a (Token 0x01) {Block1: 0/1/16} '0123456789abcdef'"); }
        var honest = Peer("honest");
        for (var i = 0; i < Count; i++) { honest.Send($"NON [0x00{i:x2}] PUT /f/a (Token 0x{i:x2}) 'x'"); }

        _wire.RunFor(TimeSpan.FromSeconds(10.5));

        AwaitAnswers(honest, Count);
        _paths.Served.Should().HaveCount(Count).And.AllBe("honest");
    }

    [Fact]
    public void An_upload_has_its_turn_when_no_body_has_had_one_for_ten_seconds()
    {
        var changes = new[] { "first", "second", "third" }.Select(Peer).ToArray();
        Delete(changes[0], waiters: 0);
        Peer("upload").Send("NON [0x0001] PUT /gated/a (Token 0x01) {Block1: 0/1/16} '0123456789abcdef'");
        AwaitWaiters("gated", 1);
        Delete(changes[1], waiters: 2);

        _wire.RunFor(TimeSpan.FromSeconds(9.5));
        _gates.Release();
        AwaitAnswers(changes[0], 1);
        AwaitWaiters("gated", 1);
        Delete(changes[2], waiters: 2);
        _paths.IsReading.CurrentCount.Should().Be(0, "a request whose body is there comes first");
        _wire.RunFor(TimeSpan.FromSeconds(1));
        _gates.Release();
        AwaitAnswers(changes[1], 1);

        _paths.IsReading.Wait(Patience).Should().BeTrue();
        _paths.Served.Should().Equal("first", "second");
        _gates.Release();
    }

    [Fact]
    public void Requests_that_wait_for_a_path_hold_no_thread()
    {
        Begin("sync");
        for (var i = 0; i < 8; i++) { Peer($"waits{i}").Send("NON [0x0001] DELETE /sync/a (Token 0x01)"); }
        _wire.RunFor(TimeSpan.Zero);

        var honest = Peer("honest");
        honest.Send("NON [0x0001] GET /work (Token 0x01)");

        AwaitAnswer(honest);
        _paths.CodesOf(honest).Should().Equal(0x45);
    }

    [Fact]
    public void An_upload_alone_may_be_slow()
    {
        Begin("f");
        for (var i = 0; i < 30; i++)
        {
            _wire.RunFor(TimeSpan.FromSeconds(20));
            Continue("f");
        }

        Continue("f", isLast: true);

        AwaitAnswer(_slow, Changed);
        _paths.Served.Should().Equal("slow");
    }

    [Fact, Trait("RFC", "9175 2.4")]
    public void An_address_that_may_be_forged_does_not_wait_for_a_path()
    {
        using var server = LaneEnd.Member(
            _wire, "strict", map => map.At("f/{name}").WithTag(static _ => new ETag(new byte[] { 1 })).Put(WaitAsync).Delete(_paths.Delete),
            new CoapServerSettings { Amplification = new() { ExemptsLoopback = false } });
        var (first, second) = (Peer("first"), Peer("second"));
        first.TalkTo("strict");
        second.TalkTo("strict");
        first.Send("NON [0x0001] PUT /f/a (Token 0x01) 'x'");
        _wire.RunFor(TimeSpan.Zero);

        second.Send("NON [0x0001] DELETE /f/a (Token 0x01)");

        while (!_wire.RunUntil(() => _paths.CodesOf(second).Count > 0, TimeSpan.Zero)) { server.AwaitWork(); }
        _paths.CodesOf(second).Should().Equal(0x81);
        _gate.SetResult();
    }

    private async ValueTask<CoapResponse> WaitAsync(IncomingRequest request, CancellationToken cancellationToken)
    {
        await _gate.Task;
        return Response.Changed;
    }

    private ScriptedPeer Peer(string name)
    {
        _peers.Add(ScriptedPeer.Client(_wire, name));
        return _peers[^1];
    }

    private void Begin(string resource)
    {
        Continue(resource);
        _paths.IsReading.Wait(Patience).Should().BeTrue();
    }

    private void Continue(string resource, bool isLast = false)
    {
        _slow.Send($"NON [0x{_blocks + 1:x4}] PUT /{resource}/a (Token 0x01) {{Block1: {_blocks++}/{(isLast ? 0 : 1)}/16}} '0123456789abcdef'");
        _wire.RunFor(TimeSpan.Zero);
    }

    private void AwaitAnswer(ScriptedPeer peer, int? code = null) =>
        _paths.AwaitAnswer(_server, peer, codes => code is null ? codes.Count > 0 : codes.Contains(code.Value));

    private void AwaitAnswers(ScriptedPeer peer, int count) => _paths.AwaitAnswer(_server, peer, codes => codes.Count >= count);

    private void Delete(ScriptedPeer peer, int waiters)
    {
        peer.Send("NON [0x0001] DELETE /gated/a (Token 0x01)");
        AwaitWaiters("gated", waiters);
    }

    private void AwaitWaiters(string resource, int count)
    {
        _wire.RunFor(TimeSpan.Zero);
        _paths.AwaitWaiters($"{resource}/a", count, Patience);
    }

    private async ValueTask<CoapResponse> DeleteAsync(IncomingRequest request, CancellationToken cancellationToken)
    {
        await _gates.WaitAsync(cancellationToken);
        return _paths.Delete(request);
    }
}
