using CoAP.Lanes;

namespace CoAP.Tests.Conformance;

/// <summary>Confirmable notifications (RFC 7641, section 4.5): one in flight, the newest state, and what ends it.</summary>
public sealed class ServerSection4_5Tests : ObservedServer
{
    private const string Nothing = "0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines";

    // Client              Server
    //    |              X-----+  'A' at 0 s
    //    |              X-----+  'B', another message, at 2 s: the state changed at 1 s
    //    |              X-----+  'C' at 6 s: the state changed twice
    //    |              X-----+  'C' again at 14 s
    //    |              X-----+  'C' again at 30 s
    //    |                    |  given up at 62 s
    [Fact, Trait("RFC", "7641 4.5.2")]
    public void A_newer_state_takes_the_place_of_one_in_flight_and_keeps_counter_and_time_out()
    {
        Register();
        Change("A");
        Client.Expect("CON [P] 2.05 Content (Token 0x4a) {Observe: 2, Max-Age: 15} 'A'", at: 0);
        Client.ExpectNothing(seconds: 1);
        Change("B");
        Client.Expect("CON [Q] 2.05 Content (Token 0x4a) {Observe: 3, Max-Age: 15} 'B'", at: 2);
        Change("skipped");
        Client.ExpectNothing(seconds: 1);
        Change("C");
        foreach (var at in new[] { 6, 14, 30 }) { Client.Expect("CON [R] 2.05 Content (Token 0x4a) {Observe: 5, Max-Age: 15} 'C'", at); }

        Client.ExpectNothing(seconds: 600);

        Temperature.ObserverCount.Should().Be(0);
        Server.Lane.Metrics[LaneCounters.UnacknowledgedAnswers].Should().Be(1);
        Server.Leftovers.Should().Be(Nothing);
    }

    [Fact, Trait("RFC", "7641 4.5.2"), Trait("RFC", "7641 1.3")]
    public void Only_the_latest_of_the_states_during_a_flight_is_sent_after_it()
    {
        Register();
        Change("A");
        Client.Expect("CON [P] 2.05 Content (Token 0x4a) {Observe: 2, Max-Age: 15} 'A'");
        foreach (var state in new[] { "B", "C", "D" })
        {
            Change(state);
            Client.ExpectNothing(seconds: 0.1);
        }

        Client.Send("ACK [P]");

        Client.Expect("CON [Q] 2.05 Content (Token 0x4a) {Observe: 5, Max-Age: 15} 'D'");
        Client.Send("ACK [Q]");
        Client.ExpectNothing(seconds: 600);
    }

    // Client              Server
    //    | CON [P]      X-----+  lost
    //    | CON [P] again      |  at 2 s
    //    |<-------------------+
    //    | ACK [P]            |
    //    +------------------->|
    [Fact, Trait("RFC", "7641 4.5")]
    public void A_lost_notification_is_sent_again()
    {
        Register();
        Wire.Drop(CoAP.TestSupport.Direction.ToClient, nth: 2);

        Change("A");

        Client.Expect("CON [P] 2.05 Content (Token 0x4a) {Observe: 2, Max-Age: 15} 'A'", at: 2);
        Client.Send("ACK [P]");
        Client.ExpectNothing(seconds: 600);
        Temperature.ObserverCount.Should().Be(1);
    }

    [Fact, Trait("RFC", "7641 4.5")]
    public void A_client_that_acknowledges_nothing_loses_all_observations_at_once()
    {
        Register();
        Client.Send("CON [0x1634] GET /temperature (Token 0x4b) {Observe: 0}");
        Client.Expect("ACK [0x1634] 2.05 Content (Token 0x4b) {Observe: 1, Max-Age: 15} '18.5 Cel'");
        Change("A");
        foreach (var at in new[] { 0, 2, 6, 14, 30 }) { Client.Expect("CON [P] 2.05 Content (Token 0x4a) {Observe: 2, Max-Age: 15} 'A'", at); }

        Client.ExpectNothing(seconds: 600);

        Temperature.ObserverCount.Should().Be(0);
        Server.Leftovers.Should().Be(Nothing);
    }

    [Fact, Trait("RFC", "7641 4.5.1"), Trait("RFC", "7252 4.7")]
    public void Two_observations_of_one_client_share_NSTART()
    {
        Register();
        Client.Send("CON [0x1634] GET /temperature (Token 0x4b) {Observe: 0}");
        Client.Expect("ACK [0x1634] 2.05 Content (Token 0x4b) {Observe: 1, Max-Age: 15} '18.5 Cel'");

        Change("A");
        Client.Expect("CON [P] 2.05 Content (Token 0x4a) {Observe: 2, Max-Age: 15} 'A'");
        Client.ExpectNothing(seconds: 1.5);
        Client.Send("ACK [P]");

        Client.Expect("CON [Q] 2.05 Content (Token 0x4b) {Observe: 2, Max-Age: 15} 'A'", at: 1.5);
    }

    [Fact, Trait("RFC", "7641 4.2")]
    public void An_error_is_the_last_notification_and_is_repeated_until_it_is_acknowledged()
    {
        Register();
        State = new CoapResponse(ResponseCode.NotFound);
        Temperature.NotifyChanged();

        Client.Expect("CON [P] 4.04 Not Found (Token 0x4a)", at: 0);
        Client.Expect("CON [P] 4.04 Not Found (Token 0x4a)", at: 2);
        Client.Send("ACK [P]");
        Change("too late");

        Client.ExpectNothing(seconds: 600);
        Server.Leftovers.Should().Be(Nothing);
    }

    [Fact, Trait("RFC", "7641 4.2")]
    public void Another_Content_Format_than_the_first_one_ends_the_observation_with_4_06()
    {
        Register();

        State = Response.Content("as text");
        Temperature.NotifyChanged();

        Client.Expect("CON [P] 4.06 Not Acceptable (Token 0x4a)");
        Temperature.ObserverCount.Should().Be(0);
    }

    // A client that answers nothing for a day may be gone, even if the resource never changes.
    [Fact, Trait("RFC", "7641 4.5")]
    public void A_quiet_observation_is_confirmed_after_24_hours()
    {
        Register();

        foreach (var hours in new[] { 24, 48 })
        {
            Wire.RunFor(TimeSpan.FromHours(24));
            Client.Expect($"CON [H{hours}] 2.05 Content (Token 0x4a) {{Observe: {(hours * 3600 / 256) << 22 & 0xFFFFFF}, Max-Age: 15}} '18.5 Cel'", at: hours * 3600);
            Client.Send($"ACK [H{hours}]");
        }
        Calls.Should().Be(3, "the handler is asked for what the client is told");
    }
}
