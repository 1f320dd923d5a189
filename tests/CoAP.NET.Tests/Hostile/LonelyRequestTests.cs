using CoAP.TestSupport;

namespace CoAP.Tests.Hostile;

/// <summary>
/// A request of an unverified address that waits for a handler thread, but not for another request of such an address (RFC 9175, section
/// 2.4).
/// </summary>
public sealed class LonelyRequestTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly Wire _wire = new(new ManualClock());
    private readonly ManualResetEventSlim _gate = new();
    private readonly ManualResetEventSlim _isHeld = new();
    private readonly LaneEnd _server;
    private readonly ScriptedPeer _holder;
    private readonly ScriptedPeer _guest;

    public LonelyRequestTests()
    {
        var settings = new CoapServerSettings
        {
            HandlerThreads = 1,
            AcknowledgeAfter = TimeSpan.FromSeconds(0.1),
            Amplification = new() { ExemptsLoopback = false },
        };
        _server = LaneEnd.Server(_wire, map => map.At("slow").Get(Handle), settings);
        (_holder, _guest) = (ScriptedPeer.Client(_wire, "holder"), ScriptedPeer.Client(_wire, "guest"));
    }

    public void Dispose()
    {
        _gate.Set();
        _holder.Dispose();
        _guest.Dispose();
        _server.Dispose();
    }

    // Guest               Server                Holder, verified
    //    |                   | <--- GET /slow -----+   has the only thread
    //    | GET /slow         |
    //    +------------------>|
    //    |  ACK              |   after 100 ms
    //    |<------------------+
    //    |  2.05             |   when the thread is free, without a challenge
    //    |<------------------+
    [Fact, Trait("RFC", "9175 2.4")]
    public void It_is_not_challenged()
    {
        _server.Lane.Addresses!.Verify(_holder.Self);
        Hold();

        _guest.Send("CON [0x0001] GET /slow (Token 0x01)");
        _guest.Expect("ACK [0x0001]", at: 0.1);
        _wire.RunFor(TimeSpan.FromSeconds(2));
        _server.DiscardWork();
        _gate.Set();

        while (!_wire.RunUntil(() => CodesTo(_guest).Contains(0x45), TimeSpan.Zero)) { _server.AwaitWork(); }
        CodesTo(_guest).Should().Equal(0x00, 0x45);
    }

    [Fact, Trait("RFC", "9175 2.4"), Trait("RFC", "7252 5.2.2")]
    public void Behind_a_forged_one_it_is_challenged_even_if_it_was_acknowledged_before()
    {
        Hold();

        _guest.Send("CON [0x0001] GET /slow (Token 0x01)");

        _guest.Expect("ACK [0x0001]", at: 0.1);
        _guest.Expect("NON [M] 4.01 (Token 0x01) {Max-Age: 0, Echo: E}", at: 0.25);
    }

    private IEnumerable<int> CodesTo(ScriptedPeer peer) =>
        _wire.Sent(Direction.ToClient).Where(one => one.To == peer.Self).Select(static one => (int)one.Bytes[1]);

    private void Hold()
    {
        _holder.Send("NON [0x0001] GET /slow (Token 0x01)");
        _holder.TakeAll(seconds: 0);
        _isHeld.Wait(Patience).Should().BeTrue();
    }

    private CoapResponse Handle(IncomingRequest request)
    {
        if (request.Peer == _holder.Self)
        {
            _isHeld.Set();
            _gate.Wait(Patience);
        }
        return Response.Content("here");
    }
}
