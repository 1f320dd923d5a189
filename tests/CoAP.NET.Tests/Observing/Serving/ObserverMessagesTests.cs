using CoAP.TestSupport;

namespace CoAP.Tests.Observing;

/// <summary>The messages that an observer over datagrams gets while others are in flight, and the Resets that count.</summary>
public sealed class ObserverMessagesTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _client;
    private readonly LaneEnd _server;
    private readonly Dictionary<string, string> _states = new() { ["a"] = "a1", ["b"] = "b1" };
    private Resource _resource = null!;

    public ObserverMessagesTests()
    {
        _client = ScriptedPeer.Client(_wire, "client");
        _server = LaneEnd.Server(
            _wire, map => _resource = map.At("{name}").Observable(keepsFresh: false).Get(request => Response.Content(_states[request["name"]]), HandlerMode.Inline));
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Fact]
    public void A_check_whether_the_client_still_exists_carries_the_newest_state()
    {
        Observe("a", token: 1, "{Observe: 1, Content-Format: 0} 'a1'");
        _wire.RunFor(TimeSpan.FromSeconds(1));
        Observe("b", token: 2, "{Observe: 2, Content-Format: 0} 'b1'");
        _wire.RunFor(TimeSpan.FromHours(24) - TimeSpan.FromSeconds(1));
        _client.Expect("CON [P] 2.05 Content (Token 0x01) {Observe: 4194304, Content-Format: 0} 'a1'");

        // NSTART: the check of the second observation waits for the acknowledgement of the first.
        _client.ExpectNothing(seconds: 1.5);
        _states["b"] = "b2";
        _resource.NotifyChanged("b");
        _client.Send("ACK [P]");

        _client.Expect("CON [Q] 2.05 Content (Token 0x02) {Observe: 4194305, Content-Format: 0} 'b2'");
        _client.Send("ACK [Q]");
        _client.ExpectNothing(seconds: 600);
    }

    // Client              Server
    //    | CON [P] 'a1'       |
    //    |<-------------------+
    //    | CON [Q] 'a2'       |  takes the place of the first one
    //    |<-------------------+
    //    | RST [P]            |  late
    //    +------------------->|
    [Fact, Trait("RFC", "7641 3.6"), Trait("RFC", "7641 4.5")]
    public void A_late_Reset_of_an_earlier_notification_ends_the_observation()
    {
        Observe("a", token: 1, "{Observe: 1, Content-Format: 0} 'a1'");
        _resource.NotifyChanged();
        _client.Expect("CON [P] 2.05 Content (Token 0x01) {Observe: 2, Content-Format: 0} 'a1'");
        _client.ExpectNothing(seconds: 1);
        _states["a"] = "a2";
        _resource.NotifyChanged();
        _client.TakeAll(seconds: 2);
        WireMessage.Read(_client.Received[^1]).Payload.Should().Equal((byte)'a', (byte)'2');

        _client.Send("RST [P]");
        _client.ExpectNothing(seconds: 600);

        _resource.ObserverCount.Should().Be(0);
    }

    [Fact]
    public void Few_wrong_Resets_in_a_long_time_do_not_make_the_server_deaf()
    {
        Observe("a", token: 1, "{Observe: 1, Content-Format: 0} 'a1'");
        for (var i = 0; i < 16; i++)
        {
            _client.ExpectNothing(seconds: 60);
            _client.Send($"RST [0x{0x7000 + i:x4}]");
        }

        _resource.NotifyChanged();
        _client.Expect("CON [P] 2.05 Content (Token 0x01) {Observe: 12582912, Content-Format: 0} 'a1'");
        _client.Send("RST [P]");
        _client.ExpectNothing(seconds: 0);

        _resource.ObserverCount.Should().Be(0);
    }

    private void Observe(string name, int token, string answer)
    {
        _client.Send($"CON [0x000{token}] GET /{name} (Token 0x0{token}) {{Observe: 0}}");
        _client.Expect($"ACK [0x000{token}] 2.05 Content (Token 0x0{token}) {answer}");
    }
}
