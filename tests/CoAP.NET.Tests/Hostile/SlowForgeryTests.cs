using System.Collections.Concurrent;
using CoAP.TestSupport;

namespace CoAP.Tests.Hostile;

/// <summary>A few forged requests to a handler that blocks, so that the one thread of all unverified addresses is never free (DESIGN: slow is as dangerous as fast).</summary>
public sealed class SlowForgeryTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;
    private readonly ScriptedPeer _forged;
    private readonly ScriptedPeer _guest;
    private readonly ManualResetEventSlim _gate = new();
    private readonly ManualResetEventSlim _isHeld = new();
    private readonly ConcurrentQueue<string> _served = new();

    public SlowForgeryTests()
    {
        _server = LaneEnd.Server(_wire, map => map.At("slow").Get(Handle), new CoapServerSettings { Amplification = new() { ExemptsLoopback = false } });
        (_forged, _guest) = (ScriptedPeer.Client(_wire, "forged"), ScriptedPeer.Client(_wire, "guest"));
        _forged.Send("NON [0x0001] GET /slow (Token 0x01)");
        _forged.TakeAll(seconds: 0);
        _isHeld.Wait(Patience).Should().BeTrue();
    }

    public void Dispose()
    {
        _gate.Set();
        _forged.Dispose();
        _guest.Dispose();
        _server.Dispose();
    }

    // Guest               Server                Forged
    //    |                   | <--- GET /slow -----+   blocks the thread of all unverified addresses
    //    | GET /slow         |
    //    +------------------>|
    //    |  4.01, Echo       |   after 250 ms, though only one request waits
    //    |<------------------+
    //    | GET /slow, Echo   |
    //    +------------------>|
    //    |  2.05             |   on a thread of its own account
    //    |<------------------+
    [Theory, Trait("RFC", "9175 2.4")]
    [InlineData("CON", "ACK"), InlineData("NON", "NON")]
    public void A_request_that_waits_too_long_is_challenged(string type, string reply)
    {
        _guest.Send($"{type} [0x0001] GET /slow (Token 0x01)");
        _guest.Expect($"{reply} [{(type == "CON" ? "0x0001" : "M")}] 4.01 (Token 0x01) {{Max-Age: 0, Echo: E}}", at: 0.25);
        _guest.Send($"{type} [0x0002] GET /slow (Token 0x02) {{Echo: E}}");

        while (!_wire.RunUntil(() => _wire.Sent(Direction.ToClient).Any(static one => one.Bytes[1] == 0x45), TimeSpan.Zero)) { _server.AwaitWork(); }
        _served.Should().Equal("guest");
    }

    [Fact, Trait("RFC", "9175 2.4")]
    public void While_the_first_of_the_queue_waits_too_long_the_next_ones_are_challenged_at_once()
    {
        _guest.Send("NON [0x0001] GET /slow (Token 0x01)");
        _guest.Expect("NON [M] 4.01 (Token 0x01) {Max-Age: 0, Echo: E}", at: 0.25);

        using var next = ScriptedPeer.Client(_wire, "next");
        next.Send("NON [0x0001] GET /slow (Token 0x01)");

        next.Expect("NON [N] 4.01 (Token 0x01) {Max-Age: 0, Echo: F}", at: 0.25);
        _served.Should().BeEmpty();
    }

    [Fact]
    public void A_request_that_was_challenged_is_not_handled_when_its_turn_comes()
    {
        _guest.Send("NON [0x0001] GET /slow (Token 0x01)");
        _guest.Expect("NON [M] 4.01 (Token 0x01) {Max-Age: 0, Echo: E}", at: 0.25);

        _server.DiscardWork();
        _gate.Set();
        while (!_wire.RunUntil(() => _wire.Sent(Direction.ToClient).Any(static one => one.Bytes[1] == 0x45), TimeSpan.Zero)) { _server.AwaitWork(); }

        _served.Should().Equal("forged");
    }

    private CoapResponse Handle(IncomingRequest request)
    {
        if (request.Peer == _forged.Self)
        {
            _isHeld.Set();
            _gate.Wait(Patience);
        }
        _served.Enqueue(request.Peer.ToString());
        return Response.Content("here");
    }
}
