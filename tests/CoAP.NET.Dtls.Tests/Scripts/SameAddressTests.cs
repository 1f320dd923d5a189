using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;
using static CoAP.Tests.Dtls.Scripts.ScriptedDevice;

namespace CoAP.Tests.Dtls.Scripts;

/// <summary>Devices that begin a session at an address where there was one before.</summary>
public sealed class SameAddressTests : ScriptedTest
{
    private static readonly PreSharedKey Other = new("device-8", "another key of 16"u8);

    [Fact]
    public void The_session_of_another_device_of_the_account_stays_when_a_NAT_reuses_its_address()
    {
        Serve(
            static settings => settings with { PreSharedKeys = PskStore.From(Key, Other) },
            new LedgerSettings { AccountOf = static (_, credentials) => credentials is null ? null : Account.Of("customer") });
        var moved = Begin();
        moved.KeepOnly(Away);       // the device does not know it yet

        var other = Add(new ScriptedDevice(Wire, key: Other, places: [Home]));
        other.ShakeHands();
        ExpectAlive(other);
        other.Dispose();

        moved.Send(Away, "CON [0x0001] GET /who (Token 0x71)");
        moved.RunFor(0.1);
        moved.MessagesAt(Away).Should().ContainSingle().Which.Code.Should().Be(0x45);
    }

    [Fact, Trait("RFC", "6347 4.2.8")]
    public void A_device_that_comes_back_with_another_key_gets_nothing_of_the_earlier_session()
    {
        Serve(static settings => settings with { PreSharedKeys = PskStore.From(Key, Other) });
        var first = Begin();
        first.Send(Home, "CON [0x0001] GET /state (Token 0x71) {Observe: 0}");
        first.RunFor(0.1);
        first.Dispose();
        var second = Add(new ScriptedDevice(Wire, key: Other, places: [Home]));
        second.ShakeHands();
        second.Forget();

        State.NotifyChanged();
        second.RunFor(200);

        second.Arrivals.Should().BeEmpty("it could not tell the records of one session from those of the other");
        State.ObserverCount.Should().Be(0);
        ExpectAlive(second);
    }

    // Otherwise, anybody could end a session with forged hellos, or who receives at the address of a device with a cookie.
    [Theory, Trait("RFC", "6347 4.2.8"), InlineData(0), InlineData(null)]
    public void A_handshake_at_the_address_of_a_session_does_not_end_it_before_its_Finished(int? idLength)
    {
        Serve();
        var device = Begin(idLength);
        using var context = SslContext.ForPreSharedKeys(isServer: false, "PSK-AES128-CCM8");
        using var other = new OpenSslHandshake(context, null) { PskIdentity = "device-7"u8.ToArray(), PskKey = Key.CopyKey() };
        other.Begin();
        for (var flight = 0; flight < 2; flight++)
        {
            ExpectAlive(device);
            device.Forget();
            device.Send(Home, Plain(other.TakeOutput()[0].Content, (byte)flight));
            device.RunFor(0.1);
            foreach (var message in device.At(Home, ContentType.Handshake)) { other.Feed(message); }
        }
        other.TakeOutput().Should().Contain(static one => one.Content[0] == (byte)HandshakeType.Finished, "which is not sent");

        ExpectAlive(device);
        device.RunFor(120);
        ExpectAlive(device);
    }

    private static byte[] Plain(byte[] message, byte number)
    {
        byte[] record = [.. new byte[DtlsRecord.HeaderLength], .. message];
        DtlsRecord.WriteHeader(record, ContentType.Handshake, new RecordNumber(number), default, message.Length);
        return record;
    }

    [Theory, InlineData(false), InlineData(true)]
    public void All_observations_of_a_device_that_restarts_go_on_however_many_they_are(bool isNotified)
    {
        const int Count = 300;      // more than two portions
        Serve(static settings => settings with { ContinuesPeer = static _ => true });
        var device = Begin();
        for (var token = 0; token < Count; token++)
        {
            device.Send(Home, $"CON [0x{0x1000 + token:x4}] GET /state (Token 0x{token:x4}) {{Observe: 0}}");
            device.RunFor(0.05);
        }
        State.ObserverCount.Should().Be(Count);
        if (isNotified)
        {
            State.NotifyChanged();      // one notification is on its way, and the others wait for it
            device.RunFor(0.05);
        }
        device.Dispose();

        var restarted = Begin();
        var tokens = new HashSet<string>();
        for (var round = 0; round < 2 * Count; round++)
        {
            restarted.RunFor(0.05);
            foreach (var notification in restarted.MessagesAt(Home))
            {
                tokens.Add(Convert.ToHexString(notification.Token));
                restarted.Send(Home, $"ACK [0x{notification.Id:x4}]");
            }
            restarted.Forget();
        }

        State.ObserverCount.Should().Be(Count);
        tokens.Should().HaveCount(Count);
    }
}
