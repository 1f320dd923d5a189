using CoAP.TestSupport;

namespace CoAP.Tests.Observing;

/// <summary>Observations that end, numbers and bytes that one client uses up do not harm other observers.</summary>
public sealed class ObserverFairnessTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly List<WeakReference> _requests = [];
    private readonly LateAnswer _late = new();
    private readonly LaneEnd _server;
    private readonly ScriptedPeer _client;
    private Resource _resource = null!;
    private Resource _slow = null!;

    public ObserverFairnessTests()
    {
        _server = LaneEnd.Server(_wire, Map, new CoapServerSettings { Amplification = new() { ExemptsLoopback = false } });
        _client = ScriptedPeer.Client(_wire);
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Fact]
    public void Observations_that_have_ended_are_not_kept_while_an_earlier_notification_is_unacknowledged()
    {
        Send("CON [0x0001] GET /r?first (Token 0x01) {Observe: 0}");
        _resource.NotifyChanged();      // a confirmable notification that nobody acknowledges
        _client.TakeAll(seconds: 0);

        for (var one = 0x100; one < 0x400; one += 2)
        {
            Send($"NON [0x{one:x4}] GET /r?{one} (Token 0x{one:x4}) {{Observe: 0}}");
            _resource.NotifyChanged();
            _client.TakeAll(seconds: 0);
            Send($"NON [0x{one + 1:x4}] GET /r?{one} (Token 0x{one:x4}) {{Observe: 1}}");
        }

        _resource.ObserverCount.Should().Be(1);
        GC.Collect();
        _requests.Count(static request => request.IsAlive).Should().BeLessThan(_requests.Count / 4);
    }

    [Fact]
    public void A_new_registration_takes_no_number_from_other_representations()
    {
        Send("CON [0x0001] GET /r?honest (Token 0x01) {Observe: 0}");
        var before = ObserveOf(_client.Received[^1]);
        for (var one = 0x100; one < 0x200; one++) { Send($"NON [0x{one:x4}] GET /r?attacker (Token 0x02) {{Observe: 0}}"); }

        _resource.NotifyChanged("/r");
        _client.TakeAll(seconds: 0);

        ObserveOf(_client.Received.First(static message => message[4] == 1 && message[1] == 69 && (message[0] & 0x30) == 0)).Should().Be(before + 1);
    }

    [Fact]
    public void Small_notifications_reach_unverified_observers_although_forged_requests_have_used_up_the_bytes_of_unverified_addresses()
    {
        Send("CON [0x0001] GET /r?honest (Token 0x01) {Observe: 0}");
        _server.Lane.Ledger.Observations.HeldBy(Account.Unverified).Should().Be(1);
        var bodies = _server.Lane.Ledger.Bodies;
        while (bodies.TryTake(Account.Unverified, 1)) { bodies.TryTake(Account.Unverified, bodies.Limit / 64); }

        _resource.NotifyChanged();
        _client.TakeAll(seconds: 0);

        CodeOf(_client.Received[^1]).Should().Be("2.05");
        _resource.ObserverCount.Should().Be(1);
    }

    [Fact, Trait("RFC", "9175 2.3")]
    public void Unverified_observers_get_a_challenge_when_forged_requests_keep_the_handler_from_being_called()
    {
        Send("CON [0x0001] GET /late (Token 0x01) {Observe: 0}");
        _late.Answer(Response.Content("x"));
        _client.TakeAll(seconds: 0);
        _server.Lane.Ledger.Observations.HeldBy(Account.Unverified).Should().Be(1);
        var requests = _server.Lane.Ledger.Requests;
        while (requests.TryTake(Account.Unverified)) { }

        _slow.NotifyChanged();
        _client.TakeAll(seconds: 2);
        _slow.ObserverCount.Should().Be(1, "the call is repeated first");
        _client.TakeAll(seconds: 5);

        CodeOf(_client.Received[^1]).Should().Be("4.01");
        _slow.ObserverCount.Should().Be(0);
    }

    [Fact]
    public void A_client_that_has_proven_its_address_since_its_registration_is_not_ended_by_forged_requests()
    {
        Send("CON [0x0001] GET /late (Token 0x01) {Observe: 0}");
        _late.Answer(Response.Content("x"));
        _client.TakeAll(seconds: 0);
        _server.Lane.Addresses!.Verify(_client.Self);
        var requests = _server.Lane.Ledger.Requests;
        while (requests.TryTake(Account.Unverified)) { }

        _slow.NotifyChanged();
        _client.TakeAll(seconds: 2);
        _late.Answer(Response.Content("y"));
        _client.TakeAll(seconds: 0);

        CodeOf(_client.Received[^1]).Should().Be("2.05");
        _slow.ObserverCount.Should().Be(1);
    }

    private void Map(ResourceMap map)
    {
        _slow = map.At("late").Observable().Get(_late.HandleAsync);
        MapInline(map);
    }

    private void MapInline(ResourceMap map) => _resource = map.At("r").Observable().Get(
        request =>
        {
            _requests.Add(new WeakReference(request));
            return Response.Content("x");
        },
        HandlerMode.Inline);

    private void Send(string message)
    {
        _client.Send(message);
        _client.TakeAll(seconds: 0);
    }

    // The Observe option is the first option of the responses, behind a token of 1 byte.
    private static int ObserveOf(byte[] message) => message[5] == 0x61 ? message[6] : 0;

    private static string CodeOf(byte[] message) => $"{message[1] >> 5}.{message[1] & 31:d2}";
}
