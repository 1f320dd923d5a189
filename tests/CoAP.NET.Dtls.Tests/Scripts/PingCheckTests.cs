using CoAP.Dtls;
using static CoAP.Tests.Dtls.Scripts.ScriptedDevice;

namespace CoAP.Tests.Dtls.Scripts;

/// <summary>A server with a device that has connection IDs, but not the return routability check. It proves a new address by its answers to two pings.</summary>
public sealed class PingCheckTests : ScriptedTest
{
    [Fact, Trait("RFC", "9146 6")]
    public void A_device_that_answers_both_pings_from_the_new_address_moves_and_gets_what_was_too_large_before()
    {
        Serve();
        var device = Begin(hasCheck: false);
        device.Send(Away, "CON [0x0001] GET /large (Token 0x71)");
        device.RunFor(0.1);
        var pings = device.PingsAt(Away);
        pings.Should().HaveCount(2).And.OnlyHaveUniqueItems();
        (device.PingsAt(Home).Count, device.MessagesAt(Home).Count, device.MessagesAt(Away).Count).Should().Be((0, 1, 0));

        foreach (var id in pings) { device.Send(Away, $"RST [0x{id:x4}]"); }
        device.RunFor(0.1);

        Moves.Should().ContainSingle().Which.To.Should().Be(PeerIdentity.From(Away));
        device.MessagesAt(Away).Should().ContainSingle().Which.Payload.Length.Should().Be(1024);
        ExpectAlive(device, Away);
        device.MessagesAt(Home).Should().BeEmpty();
    }

    [Theory, Trait("RFC", "9146 6"), InlineData("one"), InlineData("others"), InlineData("third address"), InlineData("old address"), InlineData("late"), InlineData("acknowledged")]
    public void Other_answers_move_nothing(string flaw)
    {
        Serve();
        var device = Begin(hasCheck: false);
        device.Send(Away, "CON [0x0001] GET /who (Token 0x71)");
        device.RunFor(flaw == "late" ? 1.1 : 0.1);
        var from = flaw switch { "third address" => Third, "old address" => Home, _ => Away };

        foreach (var id in device.PingsAt(Away).Take(flaw == "one" ? 1 : 2))
        {
            device.Send(from, $"{(flaw == "acknowledged" ? "ACK" : "RST")} [0x{(flaw == "others" ? id ^ 1 : id):x4}]");
        }
        device.RunFor(1);

        Moves.Should().BeEmpty();
        ExpectAlive(device);
    }

    [Fact, Trait("RFC", "9146 6")]
    public void A_device_that_guesses_the_answers_proves_nothing_until_it_is_asked_again()
    {
        Serve();
        var device = Begin(hasCheck: false);
        device.Send(Away, "CON [0x0001] GET /who (Token 0x71)");
        device.RunFor(0.1);
        var pings = device.PingsAt(Away);

        foreach (var id in Enumerable.Range(0, 65_536)) { device.Send(Away, $"RST [0x{id:x4}]"); }
        device.RunFor(0.1);
        foreach (var id in pings) { device.Send(Away, $"RST [0x{id:x4}]"); }
        device.RunFor(1);

        Moves.Should().BeEmpty();
        device.Forget();
        device.Send(Away, "CON [0x0002] GET /who (Token 0x71)");
        device.RunFor(0.1);
        foreach (var id in device.PingsAt(Away)) { device.Send(Away, $"RST [0x{id:x4}]"); }
        device.RunFor(0.1);
        Moves.Should().ContainSingle("an honest device that has rejected something else is asked again");
    }

    [Fact, Trait("RFC", "7252 4.4")]
    public void A_ping_does_not_take_the_message_ID_of_a_message_that_waits_for_an_answer()
    {
        for (var round = 0; round < 100; round++)
        {
            var pings = new FreshnessChallenge().Draw(TimeSpan.Zero, TimeSpan.FromSeconds(1), hasCheck: false, static id => id % 2 == 0);

            pings.Should().HaveCount(2).And.OnlyContain(static ping => ping[3] % 2 == 1);
        }
    }

    [Fact]
    public void Records_for_a_new_address_are_dropped_when_that_address_falls_silent()
    {
        Serve();
        var device = Begin(hasCheck: false);
        device.Send(Away, "CON [0x0001] GET /large (Token 0x71)");
        device.RunFor(30);
        device.Forget();

        device.Send(Away, "CON [0x0002] GET /who (Token 0x72)");
        device.RunFor(0.1);
        foreach (var id in device.PingsAt(Away)) { device.Send(Away, $"RST [0x{id:x4}]"); }
        device.RunFor(0.1);

        Moves.Should().ContainSingle();
        device.MessagesAt(Away).Should().OnlyContain(static message => message.Id == 2);
    }
}
