using CoAP.TestSupport;

namespace CoAP.Tests.Groups;

/// <summary>Observations that a client has begun with a request to a group, as one of the members serves them (RFC 10020, section 3.7).</summary>
public sealed class GroupObservationTests : IDisposable
{
    private const string Group = "224.0.1.187";

    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _client;
    private readonly LaneEnd _member;
    private Resource _state = null!;
    private Resource _empty = null!;
    private int _reading;

    public GroupObservationTests()
    {
        _client = ScriptedPeer.ClientOf(_wire, Group);
        _member = LaneEnd.Member(
            _wire,
            "member",
            map =>
            {
                _state = map.At("state").Observable(keepsFresh: false).AnswersMulticast()
                    .Get(_ => Response.Content($"{_reading}"), HandlerMode.Inline);
                _empty = map.At("empty").Observable(keepsFresh: false).AnswersMulticast()
                    .Get(_ => new CoapResponse(ResponseCode.Content), HandlerMode.Inline);
                map.At("failing").Observable(keepsFresh: false).AnswersMulticast()
                    .Get(_ => new CoapResponse(ResponseCode.Forbidden), HandlerMode.Inline);
            },
            new() { Multicast = new() { Leisure = TimeSpan.Zero }, ServerObservations = new() { IsConfirmable = false } });
    }

    public void Dispose()
    {
        _client.Dispose();
        _member.Dispose();
    }

    // Client              Group               Member
    //    | NON GET, Observe 0 |------------------>|
    //    | NON 2.05           |                   |
    //    |<---------------------------------------+
    //    | CON 2.05           |                   |  is the client there, and interested?
    //    |<---------------------------------------+
    //    | ACK                                    |
    //    +--------------------------------------->|
    //    | NON 2.05, nine times, and again a CON  |
    //    |<---------------------------------------+
    [Fact, Trait("RFC", "10020 3.7"), Trait("RFC", "10020 6.3"), Trait("RFC", "7641 4.5")]
    public void Confirmable_notifications_are_interspersed()
    {
        Register();
        var types = "";
        for (var i = 0; i < 21; i++)
        {
            Change();
            _client.TakeAll(seconds: 1);
            var last = WireMessage.Read(_client.Received[^1]);
            types += last.Type == 0 ? "C" : "N";
            if (last.Type == 0) { _client.Send($"ACK [0x{last.Id:x4}]"); }
        }

        types.Should().Be("CNNNNNNNNNCNNNNNNNNNC");
    }

    [Fact, Trait("RFC", "10020 3.7"), Trait("RFC", "10020 6.3"), Trait("RFC", "7641 7")]
    public void A_client_that_acknowledges_nothing_is_forgotten()
    {
        Register();

        for (var i = 0; i < 120; i++)
        {
            Change();
            _wire.RunFor(TimeSpan.FromSeconds(1));
        }
        _client.TakeAll(seconds: 600);

        _client.Received.Select(WireMessage.Read).Should().HaveCount(5, "one notification is sent five times")
            .And.OnlyContain(static message => message.Type == 0);
        _state.ObserverCount.Should().Be(0);
    }

    [Fact, Trait("RFC", "10020 3.7"), Trait("RFC", "10020 3.1.2")]
    public void A_registration_that_succeeds_is_answered_even_without_a_payload()
    {
        _client.Send("NON [0xfc01] GET /empty (Token 0x71) {Observe: 0}");
        _client.Expect("NON [A] 2.05 Content (Token 0x71) {Observe: 1}");
        _empty.ObserverCount.Should().Be(1);

        _client.TalkTo(Group);
        _client.Send("NON [0xfc02] GET /empty (Token 0x71) {Observe: 1}");
        _client.Expect("NON [B] 2.05 Content (Token 0x71)");
        _empty.ObserverCount.Should().Be(0);
    }

    [Theory, Trait("RFC", "10020 3.7"), Trait("RFC", "10020 3.1.2"), Trait("RFC", "10020 6.5")]
    [InlineData("GET /failing (Token 0x71) {Observe: 0}")]
    [InlineData("GET /empty (Token 0x71)")]
    [InlineData("GET /empty (Token 0x71) {Observe: 0, No-Response: 2}")]
    public void An_error_an_empty_response_and_one_that_the_client_does_not_want_are_suppressed(string request)
    {
        _client.Send($"NON [0xfc01] {request}");

        _client.ExpectNothing(seconds: 600);
    }

    private void Register()
    {
        _client.Send("NON [0xfc01] GET /state (Token 0x71) {Observe: 0}");
        _client.Expect("NON [A] 2.05 Content (Token 0x71) {Observe: 1, Content-Format: 0} '0'");
        _state.ObserverCount.Should().Be(1);
    }

    private void Change()
    {
        _reading++;
        _state.NotifyChanged();
    }
}
