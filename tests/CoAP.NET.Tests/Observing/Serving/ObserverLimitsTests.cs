using System.Text;
using CoAP.Datagrams;
using CoAP.Observing;
using CoAP.Serialization;
using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Observing;

/// <summary>What peers can make the server remember, and send.</summary>
public sealed class ObserverLimitsTests : IDisposable
{
    private const string Nothing = "0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines";

    private readonly Wire _wire = new(new ManualClock());
    private Resource _resource = null!;
    private LaneEnd _server = null!;
    private CoapResponse _state = Say("a");
    private int _messageId = 100;

    public void Dispose() => _server.Dispose();

    [Fact, Trait("RFC", "7641 4.1")]
    public void One_observation_too_many_in_all_is_an_ordinary_GET_until_another_ends()
    {
        Serve(new ServerObservationSettings { MaxObservations = 1 });
        var (first, second) = (ScriptedPeer.Client(_wire, "first"), ScriptedPeer.Client(_wire, "second"));

        Observe(first, 1, "{Observe: 1} ");
        Observe(second, 1, "");
        first.Send("CON [0x0009] GET /r (Token 0x01) {Observe: 1}");
        first.Expect("ACK [0x0009] 2.05 Content (Token 0x01) 'a'");

        Observe(second, 2, "{Observe: 2} ");
    }

    [Fact]
    public void With_a_limit_of_0_nobody_observes()
    {
        Serve(new ServerObservationSettings { MaxObservations = 0 });

        Observe(ScriptedPeer.Client(_wire), 1, "");

        _server.Leftovers.Should().Be(Nothing);
    }

    // 136 bytes or three times the datagram, the answer to the registration and all repetitions counted in.
    [Theory, Trait("RFC", "9175 2.4"), Trait("RFC", "7641 7")]
    [InlineData(1), InlineData(20), InlineData(40), InlineData(60), InlineData(100)]
    public void An_address_that_never_answers_is_sent_no_more_than_its_allowance(int length)
    {
        Serve(new ServerObservationSettings());
        var victim = ScriptedPeer.Client(_wire);
        Observe(victim, 1, "{Observe: 1} ");

        for (var second = 0; second < 100; second++)
        {
            _state = Say(new string('x', length));
            _resource.NotifyChanged();
            victim.TakeAll(seconds: 1);
        }
        victim.TakeAll(seconds: 1000);

        _wire.Sent(Direction.ToClient).Sum(datagram => datagram.Bytes.Length).Should().BeLessThanOrEqualTo(136);
        _resource.ObserverCount.Should().Be(0);
        _server.Leftovers.Should().Be(Nothing);
    }

    [Theory, Trait("RFC", "9175 2.4")]
    [InlineData(1), InlineData(10), InlineData(40)]
    public void A_separate_response_to_the_registration_counts_with_its_retransmissions(int length)
    {
        var late = new LateAnswer();
        Serve(new ServerObservationSettings(), late.HandleAsync);
        using var victim = ScriptedPeer.Client(_wire);
        victim.Send("CON [0x0001] GET /r (Token 0x01) {Observe: 0}");
        victim.TakeAll(seconds: 10);
        late.Answer(Say(new string('x', length)));
        victim.TakeAll(seconds: 40);
        victim.SendBytes($"6000{Hex.Text(victim.Received[^1].AsSpan(2, 2).ToArray())}");     // a late acknowledgement, or a lucky guess
        for (var (second, answered) = (0, 1); second < 100; second++)
        {
            victim.TakeAll(seconds: 1);
            _resource.NotifyChanged();
            victim.TakeAll(seconds: 0);
            if (late.Calls == answered) { continue; }
            late.Answer(Say("y"));
            answered++;
        }
        victim.TakeAll(seconds: 1000);

        _wire.Sent(Direction.ToClient).Sum(datagram => datagram.Bytes.Length).Should().BeLessThanOrEqualTo(136);
        _resource.ObserverCount.Should().Be(0);
    }

    [Fact, Trait("RFC", "9175 2.4")]
    public void A_notification_too_large_for_an_unverified_address_becomes_a_challenge_that_ends_the_observation()
    {
        Serve(new ServerObservationSettings());
        var client = ScriptedPeer.Client(_wire);
        Observe(client, 1, "{Observe: 1} ");

        _state = Say(new string('x', 500));
        _resource.NotifyChanged();
        client.TakeAll(seconds: 0);

        var last = WireMessage.Read(client.Received[^1]);
        (last.Code, last.Options.Select(option => option.Number).Contains(252)).Should().Be((0x81, true), "4.01 with an Echo");
        _resource.ObserverCount.Should().Be(0);
    }

    [Fact, Trait("RFC", "9175 2.4")]
    public void A_client_that_gets_a_challenge_instead_of_the_representation_is_not_registered()
    {
        _state = Say(new string('x', 500));
        Serve(new ServerObservationSettings());
        var client = ScriptedPeer.Client(_wire);

        client.Send("CON [0x0001] GET /r (Token 0x01) {Observe: 0}");
        client.TakeAll(seconds: 0);

        WireMessage.Read(client.Received[^1]).Code.Should().Be(0x81);
        _resource.ObserverCount.Should().Be(0);
        _server.Leftovers.Should().Be(Nothing);
    }

    // Forged registrations hold their places for some minutes and not for a day.
    [Fact, Trait("RFC", "7641 7")]
    public void An_unverified_observer_is_asked_after_some_minutes_whether_it_is_there()
    {
        Serve(new ServerObservationSettings { UnverifiedTimeout = TimeSpan.FromSeconds(100) });
        var client = ScriptedPeer.Client(_wire);
        Observe(client, 1, "{Observe: 1} ");
        Observe(ScriptedPeer.Client(_wire, "forged"), 1, "{Observe: 1} ");

        client.Expect("CON [X] 2.05 Content (Token 0x01) {Observe: 2} 'a'", at: 100);
        client.Send("ACK [X]");
        client.ExpectNothing(seconds: 3600);

        _resource.ObserverCount.Should().Be(1, "the other one did not answer");
    }

    // Client              Server
    //    | CON 2.05, Block2 0 |  the first block of the new state
    //    |<-------------------+
    //    | GET, Block2 1      |
    //    +------------------->|
    [Fact, Trait("RFC", "7959 3.4"), Trait("RFC", "7641 4.2")]
    public void A_large_state_is_notified_by_its_first_block_and_the_rest_is_fetched()
    {
        Serve(new ServerObservationSettings());
        var client = ScriptedPeer.Client(_wire);
        _server.Lane.Addresses!.Verify(client.Self);
        Observe(client, 1, "{Observe: 1} ");
        _state = Say(new string('x', 1500));

        _resource.NotifyChanged();
        client.TakeAll(seconds: 0);
        var first = WireMessage.Read(client.Received[^1]);
        client.Send([0x60, 0, client.Received[^1][2], client.Received[^1][3]]);
        client.Send("CON [0x7777] GET /r (Token 0x77) {23: 0x16}");
        client.TakeAll(seconds: 0);
        var second = WireMessage.Read(client.Received[^1]);

        (first.Type, first.Payload.Length, first.Options.Select(option => option.Number).Contains(6)).Should().Be((0, 1024, true));
        (second.Payload.Length, second.Options.Select(option => option.Number).Contains(6)).Should().Be((476, false));
        _resource.ObserverCount.Should().Be(1);
    }

    [Fact, Trait("RFC", "7252 4.2")]
    public void A_network_error_for_one_notification_ends_all_observations_of_the_peer()
    {
        Serve(new ServerObservationSettings());
        var client = ScriptedPeer.Client(_wire);
        Observe(client, 1, "{Observe: 1} ");
        Observe(client, 2, "{Observe: 1} ");
        _resource.NotifyChanged();
        client.TakeAll(seconds: 0);

        ((IDatagramReceiver)_server.Lane).OnNetworkError(
            new ChannelKey(client.Self, _wire.Server), client.Received[^1], System.Net.Sockets.SocketError.ConnectionRefused);

        _resource.ObserverCount.Should().Be(0);
        _server.Leftovers.Should().Be(Nothing);
    }

    [Fact]
    public void Many_observations_of_a_peer_that_is_gone_are_removed_in_pieces_and_it_may_come_back_meanwhile()
    {
        const int Many = 1000, MostPerTurn = 256;
        Serve(new ServerObservationSettings());
        using var client = ScriptedPeer.Client(_wire);
        _server.Lane.Addresses!.Verify(client.Self);
        for (var one = 0x100; one < 0x100 + Many; one++) { client.Send($"NON [0x{one:x4}] GET /r (Token 0x{one:x4}) {{Observe: 0}}"); }
        client.TakeAll(seconds: 0);
        _resource.NotifyChanged();
        client.TakeAll(seconds: 0);
        _resource.ObserverCount.Should().Be(Many);

        ((IDatagramReceiver)_server.Lane).OnNetworkError(
            new ChannelKey(client.Self, _wire.Server), client.Received[^1], System.Net.Sockets.SocketError.ConnectionRefused);
        _resource.ObserverCount.Should().Be(Many - MostPerTurn);
        Observe(client, 1, "{Observe: 2} ");
        _resource.ObserverCount.Should().Be(1);
        _resource.NotifyChanged();
        client.TakeAll(seconds: 0);

        var last = client.Received[^1];
        (last[0], last[1], last[4]).Should().Be(((byte)0x41, (byte)0x45, (byte)1), "it is notified like a new client");
    }

    [Fact]
    public void Many_observations_of_a_peer_end_with_an_error_in_portions_and_those_that_begin_meanwhile_go_on()
    {
        const int Many = 600, MostPerTurn = 256;
        Serve(new ServerObservationSettings());
        var key = new ChannelKey(PeerIdentity.From("client"), _wire.Server);
        var peer = new DatagramObserverPeer(_server.Mesh.Observers, _server.Mesh.Observing, key);
        peer.Sent(isConfirmable: true);     // the errors have to wait
        var observations = Enumerable.Range(0, Many).Select(_ => Register(peer)).ToList();

        peer.EndAll(new CoapResponse(ResponseCode.Unauthorized));
        observations.Count(static one => one.IsWaiting).Should().Be(MostPerTurn);
        var late = Register(peer);
        while (_server.Run()) { }

        observations.Should().OnlyContain(static one => one.IsWaiting);
        late.IsWaiting.Should().BeFalse();
    }

    private Observation Register(DatagramObserverPeer peer)
    {
        var message = CoapMessageSerializer.Datagram.Deserialize(Hex.Bytes("41 01 00 01 01 60 51 72"));
        var observation = peer.Register(new DatagramRequest(_server.Lane, message, peer.Key), Account.Of(peer.Key.Peer));
        peer.Observations.Add(observation);
        return observation;
    }

    [Fact]
    public void When_the_lane_ends_the_resource_has_no_observers_any_more()
    {
        Serve(new ServerObservationSettings());
        Observe(ScriptedPeer.Client(_wire), 1, "{Observe: 1} ");

        _server.Dispose();

        _resource.ObserverCount.Should().Be(0);
        _resource.NotifyChanged();
    }

    private void Serve(ServerObservationSettings observe, RequestDelegate? handler = null)
    {
        var settings = new CoapServerSettings { ServerObservations = observe with { MinRefreshedAge = null }, Transmission = new() { AckRandomFactor = 1 }, Amplification = new() { ExemptsLoopback = false } };
        _server = LaneEnd.Server(_wire, map => _resource = Map(map.At("r").Observable()), settings);

        Resource Map(Resource resource) => handler is null ? resource.Get(_ => _state, HandlerMode.Inline) : resource.Get(handler);
    }

    private void Observe(ScriptedPeer client, int token, string observe)
    {
        var messageId = $"0x{++_messageId:x4}";
        client.Send($"CON [{messageId}] GET /r (Token 0x{token:x2}) {{Observe: 0}}");
        client.Expect($"ACK [{messageId}] 2.05 Content (Token 0x{token:x2}) {observe}'a'");
    }

    private static CoapResponse Say(string text) => new(ResponseCode.Content) { Payload = Encoding.UTF8.GetBytes(text) };
}
