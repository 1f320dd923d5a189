using System.Text;
using CoAP.Testing;

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
