using CoAP.TestSupport;

namespace CoAP.Tests.Siege.Wall;

/// <summary>Observers cannot start any number of handlers, and none of them ends the observations of others.</summary>
public sealed class ObserversTests : IDisposable
{
    private const int Limit = 64;
    private const int Unverified = Limit / 8;

    private readonly Wire _wire = new(new ManualClock());
    private readonly WirePeers _peers;
    private readonly List<string> _asked = [];
    private readonly ManualResetEventSlim _gate = new();
    private readonly LateAnswer _waiting = new();
    private readonly LaneEnd _server;
    private bool _isPaused;
    private Resource _late = null!;
    private Resource _state = null!;
    private int _lastId = 0x1000;

    public ObserversTests() => (_peers, _server) = (new(_wire), LaneEnd.Server(
        _wire,
        map =>
        {
            _late = map.At("late").Observable().Get(LateAsync);
            _state = map.At("state").Observable().Get(static _ => Response.Content("a"), HandlerMode.Buffered);
            map.At("block").Get(Block, HandlerMode.Buffered);
            map.At("large").Get(static _ => Response.Content(new string('x', 5000)), HandlerMode.Inline);
        },
        new CoapServerSettings
        {
            MaxPendingRequests = Limit,
            MaxHandlerQueue = Limit,
            HandlerThreads = 16,
            ServerObservations = new() { MaxObservations = 10 * Limit },
            Amplification = new() { ExemptsLoopback = false },
            Ledger = new() { AccountOf = static (peer, _) => peer.ToString().StartsWith("attacker", StringComparison.Ordinal) ? Account.Of("attacker") : null },
        }));

    public void Dispose()
    {
        _gate.Set();
        _peers.Dispose();
        _server.Dispose();
        _gate.Dispose();
    }

    [Fact]
    public void A_change_of_many_representations_leaves_room_for_the_requests_of_others()
    {
        var attacker = _peers.Join("attacker", isProven: true);
        for (var i = 0; i < 3 * Limit; i++) { Ask(attacker, $"GET /late?{i} (Token 0x{i:x4}) {{Observe: 0}}"); }
        _late.ObserverCount.Should().Be(3 * Limit);
        _isPaused = true;
        _late.NotifyChanged();
        attacker.TakeAll(seconds: 0);
        _server.Lane.Ledger.Requests.Used.Should().BeInRange(Limit / 4, Limit / 2);

        _asked.Clear();
        Ask(_peers.Join("honest", isProven: true), "GET /late?honest (Token 0x01)");
        _asked.Should().Equal("honest");

        _asked.Clear();
        _isPaused = false;
        for (var calls = _waiting.Calls; calls > 0; calls--) { _waiting.Answer(Response.Content("a")); }
        _wire.RunFor(TimeSpan.FromSeconds(10));
        _asked.Distinct().Should().HaveCountGreaterThan((2 * Limit) - 1, "refused representations are asked for again");
        _late.ObserverCount.Should().Be(3 * Limit);
        _server.Lane.Ledger.Requests.Used.Should().Be(0);
    }

    [Fact]
    public void A_forged_first_observer_does_not_decide_whether_the_others_are_notified()
    {
        Ask(_peers.Join("forged", isProven: false), "GET /late (Token 0x01) {Observe: 0}");
        var honest = _peers.Join("honest", isProven: true);
        Ask(honest, "GET /late (Token 0x01) {Observe: 0}");
        _isPaused = true;
        for (var i = 0; i <= Unverified; i++) { Ask(_peers.Join($"forged{i}", isProven: false), "GET /late?x (Token 0x01)"); }
        _server.Lane.Ledger.Requests.HeldBy(Account.Unverified).Should().Be(Unverified);
        _isPaused = false;

        _late.NotifyChanged();

        Last(honest).Should().StartWith("2.05");
        _late.ObserverCount.Should().Be(2);
    }

    [Fact]
    public void A_notification_waits_while_the_account_of_its_observers_fills_the_queue_of_the_handlers()
    {
        var forged = _peers.Join("forged", isProven: false);
        AskBuffered(forged, "GET /state (Token 0x01) {Observe: 0}");
        for (var i = 0; i <= Unverified; i++) { Ask(_peers.Join($"forged{i}", isProven: false), "GET /block (Token 0x01)"); }
        _server.Lane.Ledger.HandlerQueue.HeldBy(Account.Unverified).Should().Be(Unverified);

        _state.NotifyChanged();
        _wire.RunFor(TimeSpan.FromSeconds(2));
        _state.ObserverCount.Should().Be(1, "the handler is called later");

        var honest = _peers.Join("honest", isProven: true);
        AskBuffered(honest, "GET /state (Token 0x01) {Observe: 0}");
        _server.DiscardWork();
        _state.NotifyChanged();
        honest.TakeAll(seconds: 0);
        _server.AwaitWork();
        Last(honest).Should().StartWith("2.05");
    }

    [Fact]
    public void The_handler_gets_the_request_of_an_observer_that_is_still_there()
    {
        var (first, second) = (_peers.Join("attacker", isProven: true), _peers.Join("honest", isProven: true));
        Ask(first, "GET /late (Token 0x01) {Observe: 0}");
        Ask(second, "GET /late (Token 0x01) {Observe: 0}");
        Ask(first, "GET /late (Token 0x01) {Observe: 1}");
        _asked.Clear();

        _late.NotifyChanged();
        second.TakeAll(seconds: 0);

        _asked.Should().Equal("of honest");
    }

    private ValueTask<CoapResponse> LateAsync(IncomingRequest request, CancellationToken cancellationToken)
    {
        _asked.Add(request.Options.Get<Options.UriQuery>()?.Value ?? $"of {request.Peer}");
        return _isPaused ? _waiting.HandleAsync(request, cancellationToken) : new(Response.Content("a"));
    }

    private CoapResponse Block(IncomingRequest request)
    {
        _gate.Wait();
        return Response.Content("a");
    }

    private void Ask(ScriptedPeer peer, string request)
    {
        peer.Send($"CON [0x{++_lastId:x4}] {request}");
        peer.TakeAll(seconds: 0);
    }

    private void AskBuffered(ScriptedPeer peer, string request)
    {
        _server.DiscardWork();
        Ask(peer, request);
        _server.AwaitWork();
        peer.TakeAll(seconds: 0);
    }

    private static string Last(ScriptedPeer peer)
    {
        peer.TakeAll(seconds: 0);
        var message = WireMessage.Read(peer.Received[^1]);
        return $"{message.Code >> 5}.{message.Code & 31:d2}";
    }
}
