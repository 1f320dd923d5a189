using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Non-confirmable notifications (RFC 7641, sections 4.5 and 4.5.1): their distance, and the confirmable ones among them.</summary>
public sealed class ServerSection4_5NonTests : ObservedServer
{
    public ServerSection4_5NonTests()
        : base(NonConfirmable)
    {
    }

    // An address that has never acknowledged anything may be a victim's.
    [Fact, Trait("RFC", "7641 7")]
    public void Before_the_first_acknowledgement_notifications_are_confirmable_and_end()
    {
        Register();
        for (var second = 0; second < 120; second++)
        {
            Change($"{second}");
            Wire.RunFor(TimeSpan.FromSeconds(1));
        }
        Client.TakeAll(seconds: 600);

        Client.Received.Select(WireMessage.Read).Should().HaveCount(5).And.OnlyContain(message => message.Type == 0);
        Temperature.ObserverCount.Should().Be(0);
    }

    [Fact, Trait("RFC", "7641 4.5.1")]
    public void After_the_first_acknowledgement_they_are_non_confirmable_and_a_round_trip_time_apart()
    {
        RegisterAndProve(roundTrip: 0.5);

        Change("A");
        Client.Expect("NON [P] 2.05 Content (Token 0x4a) {Observe: 3, Max-Age: 15} 'A'", at: 0.5);
        Change("B");
        Client.ExpectNothing(seconds: 0.25);
        Change("C");

        Client.Expect("NON [Q] 2.05 Content (Token 0x4a) {Observe: 5, Max-Age: 15} 'C'", at: 1);
        Client.ExpectNothing(seconds: 600);
    }

    [Fact, Trait("RFC", "7641 4.5")]
    public void One_in_ten_is_confirmable()
    {
        RegisterAndProve(roundTrip: 0.5);
        var types = "";
        for (var i = 0; i < 20; i++)
        {
            Change($"{i}");
            Client.TakeAll(seconds: 1);
            var last = WireMessage.Read(Client.Received[^1]);
            types += last.Type == 0 ? "C" : "N";
            if (last.Type == 0) { Client.Send($"ACK [0x{last.Id:x4}]"); }
        }

        types.Should().Be("NNNNNNNNNCNNNNNNNNNC");
    }

    [Fact, Trait("RFC", "7641 3.6"), Trait("RFC", "7641 4.5")]
    public void A_Reset_to_a_non_confirmable_notification_cancels_the_observation()
    {
        RegisterAndProve(roundTrip: 0.5);
        Change("A");
        Client.Expect("NON [P] 2.05 Content (Token 0x4a) {Observe: 3, Max-Age: 15} 'A'");

        Client.Send("RST [P]");
        Client.ExpectNothing(seconds: 10);
        Change("B");

        Client.ExpectNothing(seconds: 600);
        Temperature.ObserverCount.Should().Be(0);
        Server.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    [Fact, Trait("RFC", "7641 4.5")]
    public void The_first_one_after_24_hours_is_confirmable()
    {
        RegisterAndProve(roundTrip: 0.5);

        Wire.RunFor(TimeSpan.FromHours(24));
        Client.Expect("CON [P] 2.05 Content (Token 0x4a) {Observe: 4194304, Max-Age: 15} 'proof'", at: 24 * 3600 + 0.5);
    }

    private void RegisterAndProve(double roundTrip)
    {
        Register();
        Change("proof");
        Client.Expect("CON [Z] 2.05 Content (Token 0x4a) {Observe: 2, Max-Age: 15} 'proof'");
        Client.ExpectNothing(roundTrip);
        Client.Send("ACK [Z]");
        Client.ExpectNothing(seconds: 0);
    }
}
