using System.Text;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Observers whose addresses may be forged (RFC 7641, sections 4.2 and 4.5; RFC 9175, section 2.4, item 3).</summary>
public sealed class ServerUnverifiedTests() : ObservedServer(Settings with { Amplification = new() { ExemptsLoopback = false } })
{
    // The first transmission of each notification is lost, so each takes two messages.
    [Theory, Trait("RFC", "7641 4.2"), Trait("RFC", "7641 4.5")]
    [InlineData(6 * 60), InlineData(60)]
    public void An_observer_that_acknowledges_retransmissions_stays(int seconds)
    {
        Register();
        for (var change = 0; change < 60; change++)
        {
            PassAndAcknowledge(seconds);
            Change($"{change % 10,20}");
            Take();
            Client.TakeAll(seconds: 2);
            Acknowledge(Client.Received[^1]).Payload.Should().Equal(Encoding.UTF8.GetBytes($"{change % 10,20}"));
        }

        Temperature.ObserverCount.Should().Be(1);
    }

    // The allowance suffices for three transmissions of the five.
    [Fact, Trait("RFC", "7641 4.2"), Trait("RFC", "9175 2.4")]
    public void An_observer_that_is_given_up_before_the_last_transmission_is_told_to_register_again()
    {
        Register();
        Client.Send("CON [0x1634] GET /temperature (Token 0x4b) {Observe: 0}");
        Client.Expect("ACK [0x1634] 2.05 Content (Token 0x4b) {Observe: 1, Max-Age: 15} '18.5 Cel'");

        Change($"{"long",30}");
        Client.TakeAll(seconds: 600);

        var received = Client.Received.Select(WireMessage.Read).ToArray();
        received.Count(one => one.Code == 0x45).Should().BeLessThan(5);
        received.Where(one => one.Code == 0x81 && one.Options.Any(option => option.Number == 252)).Select(one => Hex.Text(one.Token)).Should().BeEquivalentTo(["4a", "4b"]);
        Temperature.ObserverCount.Should().Be(0);
    }

    // The network delivers an acknowledgement twice.
    [Fact, Trait("RFC", "7641 4.5"), Trait("RFC", "9175 2.4")]
    public void A_duplicate_acknowledgement_costs_no_credit()
    {
        Register();
        for (var change = 0; change < 20; change++)
        {
            Change($"{change,20}");
            var message = Acknowledge();
            Client.Send($"ACK [0x{message.Id:x4}]");
            Client.ExpectNothing(seconds: 1);
        }

        Temperature.ObserverCount.Should().Be(1);
    }

    // Checks whether the client is still there come in between.
    private void PassAndAcknowledge(int seconds)
    {
        var end = Wire.Time.Elapsed + TimeSpan.FromSeconds(seconds);
        while (Wire.Time.Elapsed < end)
        {
            var count = Client.Received.Count;
            var rest = end - Wire.Time.Elapsed;
            Client.TakeAll(seconds: Math.Min(1, rest.TotalSeconds));
            foreach (var received in Client.Received.Skip(count)) { Acknowledge(received); }
        }
    }

    private WireMessage Acknowledge() => Acknowledge(Take());

    private WireMessage Acknowledge(byte[] bytes)
    {
        var message = WireMessage.Read(bytes);
        if (message.Type == 0) { Client.Send($"ACK [0x{message.Id:x4}]"); }
        return message;
    }

    private byte[] Take()
    {
        var before = Client.Received.Count;
        Client.TakeAll(seconds: 0);
        Client.Received.Should().HaveCount(before + 1);
        return Client.Received[^1];
    }
}
