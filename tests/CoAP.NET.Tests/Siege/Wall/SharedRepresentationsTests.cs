using CoAP.Accounting;
using CoAP.TestSupport;

namespace CoAP.Tests.Siege.Wall;

/// <summary>A representation that several observers share is charged to one of them.</summary>
public sealed class SharedRepresentationsTests : IDisposable
{
    private const int Limit = 10_000;
    private const int Size = 1024;       // smaller ones are kept in any case

    private static readonly string Held = new('x', 1024);

    private readonly Wire _wire = new(new ManualClock());
    private readonly WirePeers _peers;
    private readonly LateAnswer _late = new();
    private readonly LaneEnd _server;
    private Resource _resource = null!;
    private int _lastId;

    public SharedRepresentationsTests() => (_peers, _server) = (new(_wire), LaneEnd.Server(
        _wire,
        map =>
        {
            map.At("late").Put(_late.HandleAsync);
            _resource = map.At("r").Observable(confirmable: false).Get(static _ => Response.Content(new string('x', Size)), HandlerMode.Inline);
        },
        new CoapServerSettings { ServerObservations = new() { MinRefreshedAge = null }, Transmission = new() { NStart = 100 }, MaxInlinePayload = Limit, ServerTransfers = new() { MaxTotalSize = Limit, MaxBodySize = Limit } }));

    private LedgerBook Bodies => _server.Lane.Ledger.Bodies;

    public void Dispose()
    {
        _peers.Dispose();
        _server.Dispose();
    }

    [Fact]
    public void An_honest_observer_is_notified_while_the_account_of_another_observer_is_full()
    {
        var (attacker, honest) = (Join("attacker"), Join("honest"));
        Observe(attacker, "/r");
        Observe(honest, "/r");
        Fill(attacker);
        var held = HeldBy("attacker");

        _resource.NotifyChanged();

        CodeOfLast(honest).Should().Be("2.05");
        (HeldBy("attacker"), HeldBy("honest"), Bodies.Used).Should().Be((held, Size, held + Size));
        _resource.ObserverCount.Should().Be(2);
    }

    [Fact]
    public void Two_peers_keep_no_more_shared_representations_than_their_accounts_have_room_for()
    {
        var (first, second) = (Join("attacker1"), Join("attacker2"));
        for (var i = 0; i < 20; i++)
        {
            Observe(first, $"/r?{i}");
            Observe(second, $"/r?{i}");
        }
        _resource.NotifyChanged();
        first.TakeAll(seconds: 10);

        var kept = _resource.ObserverCount / 2;
        kept.Should().BeInRange(6, 9, "two accounts get at most two thirds, and one more");
        (HeldBy("attacker1") + HeldBy("attacker2"), Bodies.Used).Should().Be((kept * Size, kept * Size));
        CodeOfLast(second).Should().Be("5.03");

        var honest = Join("honest");
        Observe(honest, "/r?honest");
        _resource.NotifyChanged();
        CodeOfLast(honest).Should().Be("2.05");
    }

    [Fact]
    public void The_charge_passes_to_another_observer_when_its_observer_leaves()
    {
        var (first, second) = (Join("first"), Join("second"));
        Observe(first, "/r");
        Observe(second, "/r");
        _resource.NotifyChanged();
        first.TakeAll(seconds: 0);
        (HeldBy("first"), HeldBy("second"), Bodies.Count).Should().Be((Size, 0, 1));

        Leave(first);
        (HeldBy("first"), HeldBy("second")).Should().Be((0, Size));

        Leave(second);
        (Bodies.Used, Bodies.Count).Should().Be((0, 0));
    }

    [Fact]
    public void A_payer_that_registers_again_does_not_end_the_observations_of_others()
    {
        var (payer, other) = (Join("payer"), Join("other"));
        Observe(payer, "/r");
        _resource.NotifyChanged();
        payer.TakeAll(seconds: 0);
        Observe(other, "/r");
        Fill(other);
        HeldBy("payer").Should().Be(Size);

        payer.Send($"CON [0x{++_lastId:x4}] GET /r (Token 0x0001) {{Observe: 0}}");
        payer.TakeAll(seconds: 0);

        CodeOfLast(payer).Should().Be("2.05");
        (_resource.ObserverCount, HeldBy("payer")).Should().Be((2, Size));
    }

    [Fact]
    public void The_observations_end_with_an_error_when_no_observer_that_is_left_has_room()
    {
        var (honest, attacker) = (Join("honest"), Join("attacker"));
        Observe(honest, "/r");
        Observe(attacker, "/r");
        _resource.NotifyChanged();
        attacker.TakeAll(seconds: 0);
        attacker.Send($"ACK [0x{WireMessage.Read(attacker.Received[^1]).Id:x4}]");
        Fill(attacker);
        var held = HeldBy("attacker");

        Leave(honest);

        CodeOfLast(attacker).Should().Be("5.03");
        (Bodies.Used, _resource.ObserverCount).Should().Be((held, 0));
    }

    private ScriptedPeer Join(string name) => _peers.Join(name, isProven: false);

    private void Observe(ScriptedPeer peer, string path)
    {
        peer.Send($"CON [0x{++_lastId:x4}] GET {path} (Token 0x{_lastId:x4}) {{Observe: 0}}");
        CodeOfLast(peer).Should().Be("2.05");
    }

    // The registrations of the two peers are the first two requests.
    private void Leave(ScriptedPeer peer)
    {
        var token = WireMessage.Read(peer.Received[0]).Token;
        peer.Send($"CON [0x{++_lastId:x4}] GET /r (Token 0x{Convert.ToHexString(token)}) {{Observe: 1}}");
        peer.TakeAll(seconds: 0);
    }

    // Its requests stay in progress until the server refuses further ones.
    private void Fill(ScriptedPeer peer)
    {
        var before = peer.Received.Count;
        while (peer.Received.Count == before)
        {
            peer.Send($"CON [0x{++_lastId:x4}] PUT /late (Token 0x01) '{Held}'");
            peer.TakeAll(seconds: 0);
        }
        CodeOfLast(peer).Should().Be("4.29");
    }

    private long HeldBy(string name) => Bodies.HeldBy(Account.Of(name));

    private static string CodeOfLast(ScriptedPeer peer)
    {
        peer.TakeAll(seconds: 0);
        var message = WireMessage.Read(peer.Received[^1]);
        return $"{message.Code >> 5}.{message.Code & 31:d2}";
    }
}
