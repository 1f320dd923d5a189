using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Tests.Conformance;

/// <summary>The message flows of RFC 7641, section 1.2 and appendix A.1, with our server on the right. Message IDs of ours are variables.</summary>
public sealed class ServerAppendixATests : ObservedServer
{
    // Figure 2: Observing a Resource in CoAP
    // Client              Server
    //    | GET /temperature   |
    //    |   Token: 0x4a      |  registration
    //    |   Observe: 0       |
    //    +------------------->|
    //    | 2.05 Content       |
    //    |   Token: 0x4a      |  notification of the current state
    //    |   Observe: 1       |
    //    |<-------------------+
    //    | 2.05, Observe: 2   |  notification upon a state change
    //    |<-------------------+
    //    | 2.05, Observe: 3   |  notification upon a state change
    //    |<-------------------+
    [Fact, Trait("RFC", "7641 1.2"), Trait("RFC", "7641 4.1"), Trait("RFC", "7641 4.2")]
    public void Figure_2_a_client_registers_and_is_notified_of_each_change()
    {
        Register();

        Change("22.8 Cel");
        Client.Expect("CON [X] 2.05 Content (Token 0x4a) {Observe: 2, Max-Age: 15} '22.8 Cel'", at: 0);
        Client.Send("ACK [X]");
        Client.ExpectNothing(seconds: 5);
        Change("23.1 Cel");

        Client.Expect("CON [Y] 2.05 Content (Token 0x4a) {Observe: 3, Max-Age: 15} '23.1 Cel'", at: 5);
        Client.Send("ACK [Y]");
        Client.ExpectNothing(seconds: 600);
    }

    // Figures 3 and 4: registration, a notification, one that is lost, and a registration again when Max-Age is over
    // Client              Server
    //    | CON GET, T 0x4a    |
    //    +------------------->|
    //    | ACK 2.05 '18.5'    |
    //    |<-------------------+
    //    | CON 2.05 '19.2'    |
    //    |<-------------------+
    //    | CON 2.05 '19.7'    |
    //    |              X-----+
    //    | CON GET, T 0xb2    |
    //    +------------------->|
    //    | ACK 2.05 '19.7'    |
    //    |<-------------------+
    [Fact, Trait("RFC", "7641 3.3.1"), Trait("RFC", "7641 4.1")]
    public void Figures_3_and_4_a_client_that_missed_a_notification_registers_again()
    {
        Register();
        Change("19.2 Cel");
        Client.Expect("CON [X] 2.05 Content (Token 0x4a) {Observe: 2, Max-Age: 15} '19.2 Cel'");
        Client.Send("ACK [X]");

        State = Celsius("19.7 Cel", new ETag(new byte[] { 0x78, 0x79, 0x7a, 0x7a, 0x79 }));
        Temperature.NotifyChanged();
        Client.Expect("CON [Y] 2.05 Content (Token 0x4a) {ETag: 0x78797a7a79, Observe: 3, Max-Age: 15} '19.7 Cel'");
        Client.Send("CON [0x1634] GET /temperature (Token 0xb2) {Observe: 0}");

        Client.Expect("ACK [0x1634] 2.05 Content (Token 0xb2) {ETag: 0x78797a7a79, Observe: 3, Max-Age: 15} '19.7 Cel'");
        Server.Lane.Metrics[LaneCounters.ActiveObservations].Should().Be(2, "the server cannot know yet that the first one is forgotten");
    }

    // Figure 5: a registration that offers a stored response, which a notification later selects
    // Client              Server
    //    | GET, T 0xf9        |
    //    |   Observe: 0       |
    //    |   ETag: 0x7879…    |
    //    +------------------->|
    //    | 2.05 '20.0 Cel'    |
    //    |<-------------------+
    //    | 2.03, ETag 0x7879… |
    //    |<-------------------+
    [Fact, Trait("RFC", "7641 3.3.2"), Trait("RFC", "7641 4.3.2")]
    public void Figure_5_a_notification_selects_a_stored_response_by_its_ETag()
    {
        var known = new ETag(new byte[] { 0x78, 0x79, 0x7a, 0x7a, 0x79 });
        Client.Send("CON [0x1635] GET /temperature (Token 0xf9) {ETag: 0x78797a7a79, Observe: 0}");
        Client.Expect("ACK [0x1635] 2.05 Content (Token 0xf9) {Observe: 1, Max-Age: 15} '18.5 Cel'");

        State = new CoapResponse(ResponseCode.Valid) { Options = [known, new MaxAge(15)] };
        Temperature.NotifyChanged();

        Client.Expect("CON [X] 2.03 Valid (Token 0xf9) {ETag: 0x78797a7a79, Observe: 2, Max-Age: 15}");
        Client.Send("ACK [X]");
        Server.Lane.Metrics[LaneCounters.ActiveObservations].Should().Be(1, "2.03 is a success");
    }

    // Figure 6: a client rejects a notification and so cancels the observation
    // Client              Server
    //    | CON 2.05 '20.5'    |
    //    |<-------------------+
    //    | RST                |
    //    +------------------->|
    [Fact, Trait("RFC", "7641 3.6"), Trait("RFC", "7641 4.5")]
    public void Figure_6_a_Reset_cancels_the_observation()
    {
        Register();
        Change("20.5 Cel");
        Client.Expect("CON [X] 2.05 Content (Token 0x4a) {Observe: 2, Max-Age: 15} '20.5 Cel'");

        Client.Send("RST [X]");
        Client.ExpectNothing(seconds: 0);
        Change("21.0 Cel");

        Client.ExpectNothing(seconds: 600);
        Temperature.ObserverCount.Should().Be(0);
        Server.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }
}
