using CoAP.TestSupport;

namespace CoAP.Tests.Siege;

/// <summary>Handlers that read bodies which their senders do not continue.</summary>
public sealed class BodyThreadsTests : IDisposable
{
    private static readonly string Block = new('x', 512);

    private readonly Wire _wire = new(new ManualClock());
    private readonly List<ScriptedPeer> _peers = [];
    private readonly CountdownEvent _reading = new(16);
    private readonly CountdownEvent _ended = new(16);
    private readonly LaneEnd _server;

    public BodyThreadsTests() => _server = LaneEnd.Server(
        _wire,
        map =>
        {
            map.At("up").Put(Read, HandlerMode.Buffered).StreamsBody();
            map.At("slow").Put(Drain, HandlerMode.Buffered).StreamsBody();
            map.At("work").Get(static _ => Response.Content("done"), HandlerMode.Buffered);
        },
        new CoapServerSettings { HandlerThreads = 2, BodyThreads = 32 });

    public void Dispose()
    {
        _peers.ForEach(static peer => peer.Dispose());
        _server.Dispose();
        _reading.Dispose();
        _ended.Dispose();
    }

    [Fact]
    public void Slow_bodies_do_not_block_other_handlers_and_end_within_seconds()
    {
        for (var i = 0; i < 16; i++)
        {
            var peer = ScriptedPeer.Client(_wire, $"peer{i}");
            _peers.Add(peer);
            peer.Send($"CON [0x0001] PUT /up (Token 0x01) {{Block1: 0/1/512}} '{Block}'");
            peer.Expect("ACK [0x0001] 2.31 Continue (Token 0x01) {Block1: 0/1/512}");
        }
        _reading.Wait(TimeSpan.FromMinutes(1)).Should().BeTrue("each handler has a thread that waits for the next block");
        using var honest = ScriptedPeer.Client(_wire, "honest");
        _server.DiscardWork();

        honest.Send("CON [0x0001] GET /work (Token 0x01)");
        _wire.RunUntilIdle(TimeSpan.Zero);
        _server.AwaitWork();
        honest.Expect("ACK [0x0001] 2.05 Content (Token 0x01) {Content-Format: 0} 'done'");

        honest.ExpectNothing(seconds: 30);
        _ended.Wait(TimeSpan.FromMinutes(1)).Should().BeTrue("no handler waits any longer");
    }

    [Fact]
    public void Threads_are_not_held_for_hours_by_clients_that_send_a_few_bytes_now_and_then()
    {
        _peers.AddRange(Enumerable.Range(0, 16).Select(i => ScriptedPeer.Client(_wire, $"peer{i}")));

        for (var number = 0; number < 23; number++)
        {
            foreach (var peer in _peers) { peer.Send($"CON [0x{number:x4}] PUT /slow (Token 0x01) {{Block1: {number}/1/16}} '0123456789abcdef'"); }
            if (number == 0) { _wire.RunUntilIdle(TimeSpan.Zero); }
            _peers[0].TakeAll(seconds: 29);
        }

        _ended.Wait(TimeSpan.FromMinutes(1)).Should().BeTrue("each body has fallen more than ten minutes behind");
    }

    private CoapResponse Drain(IncomingRequest request)
    {
        try { request.Body.CopyTo(Stream.Null); }
        finally { _ended.Signal(); }
        return Response.Changed;
    }

    private CoapResponse Read(IncomingRequest request)
    {
        var buffer = new byte[512];
        request.Body.ReadExactly(buffer);
        _reading.Signal();
        try { return request.Body.Read(buffer) == 0 ? Response.Changed : Response.NotFound; }
        finally { _ended.Signal(); }
    }
}
