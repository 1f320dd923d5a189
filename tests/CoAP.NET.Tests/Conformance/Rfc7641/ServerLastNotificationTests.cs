using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Errors, which end observations, count as notifications (RFC 7641, sections 4.2, 4.5.1 and 4.5.2).</summary>
public sealed class ServerLastNotificationTests : ObservedServer
{
    private const string Nothing = "0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines";

    // Client              Server
    //    |              X-----+  'A' at 0 s
    //    |              X-----+  5.03, another message, at 2 s, 6 s, 14 s and 30 s
    //    |                    |  given up at 62 s
    [Fact, Trait("RFC", "7641 4.5.1"), Trait("RFC", "7641 4.5.2")]
    public void An_error_takes_the_place_of_a_notification_in_flight_and_keeps_counter_and_time_out()
    {
        Register();
        Change("A");
        Client.Expect("CON [P] 2.05 Content (Token 0x4a) {Observe: 2, Max-Age: 15} 'A'", at: 0);

        Temperature.EndObservations(ResponseCode.ServiceUnavailable);

        foreach (var at in new[] { 2, 6, 14, 30 }) { Client.Expect("CON [Q] 5.03 Service Unavailable (Token 0x4a)", at); }
        Client.ExpectNothing(seconds: 600);
        Server.Leftovers.Should().Be(Nothing);
    }

    [Fact, Trait("RFC", "7641 4.5.1")]
    public void An_error_follows_the_acknowledgement_of_a_notification_in_flight()
    {
        Register();
        Change("A");
        Client.Expect("CON [P] 2.05 Content (Token 0x4a) {Observe: 2, Max-Age: 15} 'A'");
        Temperature.EndObservations(ResponseCode.ServiceUnavailable);
        Client.ExpectNothing(seconds: 1);

        Client.Send("ACK [P]");

        Client.Expect("CON [Q] 5.03 Service Unavailable (Token 0x4a)", at: 1);
        Client.Send("ACK [Q]");
        Client.ExpectNothing(seconds: 600);
        Server.Leftovers.Should().Be(Nothing);
    }

    // The client registers again before it has acknowledged the error.
    [Fact, Trait("RFC", "7641 4.5.1"), Trait("RFC", "7252 4.7")]
    public void Errors_and_notifications_share_NSTART()
    {
        Register();
        Client.Send("CON [0x1634] GET /temperature (Token 0x4b) {Observe: 0}");
        Client.Expect("ACK [0x1634] 2.05 Content (Token 0x4b) {Observe: 1, Max-Age: 15} '18.5 Cel'");
        Temperature.EndObservations(ResponseCode.ServiceUnavailable);
        Client.Expect("CON [P] 5.03 Service Unavailable (Token 0x4a)", at: 0);
        Client.ExpectNothing(seconds: 1);

        Client.Send("ACK [P]");
        Client.Expect("CON [Q] 5.03 Service Unavailable (Token 0x4b)", at: 1);
        Client.Send("CON [0x1635] GET /temperature (Token 0x4c) {Observe: 0}");
        Client.Expect("ACK [0x1635] 2.05 Content (Token 0x4c) {Observe: 2, Max-Age: 15} '18.5 Cel'");
        Change("A");
        Client.ExpectNothing(seconds: 1);
        Client.Send("ACK [Q]");

        Client.Expect("CON [R] 2.05 Content (Token 0x4c) {Observe: 3, Max-Age: 15} 'A'", at: 2);
        Client.Send("ACK [R]");
        Client.ExpectNothing(seconds: 100);
        Temperature.ObserverCount.Should().Be(1);
    }

    [Fact, Trait("RFC", "7641 4.5")]
    public void An_error_that_is_not_acknowledged_ends_all_observations_of_the_client()
    {
        Register();
        RegisterForSlow();

        Temperature.EndObservations(ResponseCode.ServiceUnavailable);
        Client.TakeAll(seconds: 600);

        SlowResource.ObserverCount.Should().Be(0);
        Server.Leftovers.Should().Be(Nothing);
    }

    [Fact, Trait("RFC", "7641 4.5")]
    public void An_error_that_the_client_rejects_ends_no_other_observation()
    {
        Register();
        RegisterForSlow();

        Temperature.EndObservations(ResponseCode.ServiceUnavailable);
        Client.Expect("CON [P] 5.03 Service Unavailable (Token 0x4a)");
        Client.Send("RST [P]");
        Client.ExpectNothing(seconds: 600);

        SlowResource.ObserverCount.Should().Be(1);
    }

    // All message IDs are used while a notification waits for its acknowledgement.
    [Fact, Trait("RFC", "7252 4.4"), Trait("RFC", "7252 4.2")]
    public void The_message_ID_of_an_outstanding_notification_is_not_used_again()
    {
        Register();
        Change("A");
        Client.TakeAll(seconds: 0);
        var outstanding = WireMessage.Read(Client.Received[^1]).Id;
        var used = new HashSet<int>();
        for (var i = 0; i < 70_000; i++)
        {
            Client.Send([0x50, 0x01, (byte)(i >> 8), (byte)i, 0xB5, .. "plain"u8]);
            if (i % 1000 == 999) { Client.TakeAll(seconds: 0.001); }
        }
        foreach (var received in Client.Received.Skip(2)) { used.Add(WireMessage.Read(received).Id); }

        used.Should().HaveCount(64_511).And.NotContain(outstanding);
        Server.Lane.Exchanges.UnsettledCount.Should().Be(0);
    }

    // The resource has another format from now on, although nobody said that it has changed.
    [Fact, Trait("RFC", "7641 4.2")]
    public void A_client_that_registers_later_has_the_format_of_its_own_registration()
    {
        Register();
        State = Response.Content("text");
        Client.Send("CON [0x1634] GET /temperature (Token 0x4b) {Observe: 0}");
        Client.Expect("ACK [0x1634] 2.05 Content (Token 0x4b) {Observe: 1, Content-Format: 0} 'text'");

        Temperature.NotifyChanged();

        Client.Expect("CON [P] 4.06 Not Acceptable (Token 0x4a)");
        Client.Send("ACK [P]");
        Client.Expect("CON [Q] 2.05 Content (Token 0x4b) {Observe: 2, Content-Format: 0} 'text'");
        Client.Send("ACK [Q]");
        Temperature.ObserverCount.Should().Be(1);
    }

    [Fact, Trait("RFC", "7641 4.2"), Trait("RFC", "7641 4.5")]
    public void A_check_whether_the_client_exists_has_the_format_of_the_registration_or_ends_the_observation()
    {
        Register();
        State = Response.Content("text");

        Wire.RunFor(TimeSpan.FromHours(24));

        Client.Expect("CON [P] 4.06 Not Acceptable (Token 0x4a)", at: 24 * 3600);
        Temperature.ObserverCount.Should().Be(0);
    }

    // Registers for another resource with token 0x4b.
    private void RegisterForSlow()
    {
        Client.Send("CON [0x1634] GET /slow (Token 0x4b) {Observe: 0}");
        Client.Expect("ACK [0x1634]", at: 0.25);
        Slow.Answer(Celsius("1"));
        Client.Expect("CON [Y] 2.05 Content (Token 0x4b) {Observe: 2, Max-Age: 15} '1'");
        Client.Send("ACK [Y]");
    }
}
