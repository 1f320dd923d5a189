using System.Threading.Channels;
using CoAP.Dtls;
using CoAP.TestSupport;
using static CoAP.Tests.Dtls.Scripts.ScriptedDevice;

namespace CoAP.Tests.Dtls.Scripts;

/// <summary>A server with a device that has the return routability check (RFC 9853).</summary>
public sealed class RoutabilityCheckTests : ScriptedTest
{
    [Theory, Trait("RFC", "9853 5.4"), InlineData(Home), InlineData(Away)]
    public void A_challenge_gets_one_answer_at_once_at_the_address_from_which_it_came(string address)
    {
        Serve();
        var device = Begin();
        var start = Wire.Time.Elapsed;

        device.Send(address, RoutabilityMessageType.PathChallenge, Cookie);
        device.RunFor(30);

        device.CookiesAt(address, RoutabilityMessageType.PathResponse).Should().Equal(Cookie);
        var answers = device.Arrivals.Where(static one => one.Type == ContentType.ReturnRoutabilityCheck && one.Content[0] == (byte)RoutabilityMessageType.PathResponse);
        answers.Should().ContainSingle().Which.Time.Should().Be(start + 2 * Wire.Latency);
    }

    [Fact, Trait("RFC", "9853 5.1"), Trait("RFC", "9146 6")]
    public void A_device_that_answers_from_the_new_address_moves()
    {
        Serve();
        var device = Begin();
        device.Send(Away, "CON [0x0001] GET /who (Token 0x71)");
        device.RunFor(0.1);
        Moves.Should().BeEmpty();
        device.CookiesAt(Home, RoutabilityMessageType.PathChallenge).Should().BeEmpty();
        var cookie = device.CookiesAt(Away, RoutabilityMessageType.PathChallenge).Should().ContainSingle().Subject;

        device.Send(Away, RoutabilityMessageType.PathResponse, cookie);
        device.RunFor(0.1);

        var move = Moves.Should().ContainSingle().Subject;
        (move.From, move.To, move.Peer).Should().Be((PeerIdentity.From(Home), PeerIdentity.From(Away), Peer));
        device.Forget();
        _ = Server.Send(new CoapRequest(RequestCode.Get, "/of-the-device"), Peer);
        device.RunFor(0.1);
        (device.MessagesAt(Home).Count, device.MessagesAt(Away).Count).Should().Be((0, 1));
    }

    [Theory, Trait("RFC", "9853 5.1"), Trait("RFC", "9853 5.4"), InlineData("wrong cookie"), InlineData("third address"), InlineData("old address"), InlineData("late")]
    public void A_wrong_or_late_answer_or_one_from_another_address_moves_nothing(string flaw)
    {
        Serve();
        var device = Begin();
        device.Send(Away, "CON [0x0001] GET /who (Token 0x71)");
        device.RunFor(0.1);
        var cookie = device.CookiesAt(Away, RoutabilityMessageType.PathChallenge).Should().ContainSingle().Subject;

        device.RunFor(flaw == "late" ? 1 : 0);
        device.Send(
            flaw switch { "third address" => Third, "old address" => Home, _ => Away }, RoutabilityMessageType.PathResponse, flaw == "wrong cookie" ? cookie ^ 1 : cookie);
        device.RunFor(1);

        Moves.Should().BeEmpty();
        ExpectAlive(device);
    }

    // A network with long delays (RFC 9853, section 5.5).
    [Fact, Trait("RFC", "9853 5.3"), Trait("RFC", "9853 5.5")]
    public void Each_challenge_has_a_new_cookie_and_twice_the_time_of_the_one_before()
    {
        Serve();
        var device = Begin();
        for (var message = 1; message <= 4; message++)
        {
            device.Send(Away, $"NON [0x000{message}] GET /who (Token 0x71)");
            device.RunFor(1);
        }
        var cookies = device.CookiesAt(Away, RoutabilityMessageType.PathChallenge);
        cookies.Should().HaveCount(3).And.OnlyHaveUniqueItems();

        foreach (var late in cookies.Take(2)) { device.Send(Away, RoutabilityMessageType.PathResponse, late); }
        device.RunFor(2);
        Moves.Should().BeEmpty();
        device.Send(Away, RoutabilityMessageType.PathResponse, cookies[2]);
        device.RunFor(1);

        Moves.Should().ContainSingle();
    }

    [Theory, Trait("RFC", "9853 4"), Trait("RFC", "9853 5.4")]
    [InlineData("03 0102030405060708"), InlineData("ff"), InlineData("04 01020304050607080900"), InlineData(""), InlineData("00 01"), InlineData("01 0102030405060708"),
     InlineData("02 0102030405060708")]
    public void Unknown_malformed_and_unsolicited_messages_are_ignored(string content)
    {
        Serve();
        var device = Begin();

        device.Send(Home, device.Seal(ContentType.ReturnRoutabilityCheck, Hex.Bytes(content)));
        device.RunFor(30);

        device.Arrivals.Should().BeEmpty();
        Moves.Should().BeEmpty();
        ExpectAlive(device);
    }

    [Theory, Trait("RFC", "9853 3"), InlineData(false, true), InlineData(true, false), InlineData(false, false)]
    public void Without_negotiation_neither_challenges_nor_answers_are_sent(bool ofServer, bool ofDevice)
    {
        Serve(settings => settings with { UsesRoutabilityCheck = ofServer });
        var device = Begin(hasCheck: ofDevice);
        device.Session.HasRoutabilityCheck.Should().BeFalse();

        device.Send(Home, RoutabilityMessageType.PathChallenge, Cookie);
        device.Send(Away, RoutabilityMessageType.PathChallenge, Cookie);
        device.Send(Away, "CON [0x0001] GET /who (Token 0x71)");
        device.RunFor(30);

        device.Arrivals.Should().NotContain(static one => one.Type == ContentType.ReturnRoutabilityCheck);
        Moves.Should().BeEmpty();
    }

    [Fact, Trait("RFC", "9146 6")]
    public void A_record_that_is_not_the_newest_moves_nothing()
    {
        Serve();
        var device = Begin();
        var early = device.Seal(ContentType.ApplicationData, Message("CON [0x0001] GET /who (Token 0x71)"));
        ExpectAlive(device);
        device.Forget();

        device.Send(Away, early);
        device.RunFor(30);

        device.Arrivals.Should().ContainSingle().Which.Address.Should().Be(Home, "the answer goes to the address of the session");
        Moves.Should().BeEmpty();
    }

    [Fact, Trait("RFC", "9853 5")]
    public void A_new_address_gets_at_most_three_times_its_bytes_answers_to_challenges_included()
    {
        Serve();
        var device = Begin();
        var sent = 0;
        for (var round = 0; round < 50; round++)
        {
            foreach (var record in new[] { device.Seal(ContentType.ApplicationData, Message($"NON [0x{round:x4}] GET /large (Token 0x71)")), Challenge(device) })
            {
                sent += record.Length;
                device.Send(Away, record);
                device.RunFor(0.1);
            }
            device.Arrivals.Where(static one => one.Address == Away).Sum(static one => one.DatagramLength).Should().BeLessThanOrEqualTo(3 * sent);
        }
        device.CookiesAt(Away, RoutabilityMessageType.PathResponse).Should().HaveCount(50);
        device.MessagesAt(Away).Should().NotBeEmpty("what is left of the allowance is used");
    }

    private static byte[] Challenge(ScriptedDevice device) =>
        device.Seal(ContentType.ReturnRoutabilityCheck, new RoutabilityMessage(RoutabilityMessageType.PathChallenge, Cookie).ToBytes());

    [Fact]
    public void A_device_moves_at_most_once_per_second()
    {
        Serve();
        var device = Begin();
        MoveTo(device, Away);
        Moves.Should().ContainSingle();

        MoveTo(device, Third);
        Moves.Should().ContainSingle("the second move came too soon");
        device.RunFor(1);
        MoveTo(device, Third);

        Moves.Should().HaveCount(2);
    }

    [Fact]
    public async Task The_store_gets_the_address_of_a_device_that_moves_often_at_most_every_ten_seconds()
    {
        var store = new AddressStore();
        Serve(settings => settings with { SessionStore = store });
        var device = Begin();
        (await store.NextAsync()).Should().Be(PeerIdentity.From(Home));

        MoveTo(device, Away);
        (await store.NextAsync()).Should().Be(PeerIdentity.From(Away));
        foreach (var address in new[] { Home, Third, Home, Third })
        {
            device.RunFor(1);
            MoveTo(device, address);
        }
        Moves.Should().HaveCount(5);
        device.RunFor(10);
        device.Send(Third, "CON [0x6001] GET /who (Token 0x71)");
        device.RunFor(0.1);

        (await store.NextAsync()).Should().Be(PeerIdentity.From(Third));
    }

    private int _message = 0x6100;

    // Asks from an address and answers the challenge that comes there.
    private void MoveTo(ScriptedDevice device, string address)
    {
        device.Forget();
        device.Send(address, $"CON [0x{++_message:x4}] GET /who (Token 0x71)");
        device.RunFor(0.1);
        foreach (var cookie in device.CookiesAt(address, RoutabilityMessageType.PathChallenge)) { device.Send(address, RoutabilityMessageType.PathResponse, cookie); }
        device.RunFor(0.1);
    }

    // The addresses of the sessions, in the order in which they are stored.
    private sealed class AddressStore : IDtlsSessionStore
    {
        private readonly Channel<PeerIdentity> _saved = Channel.CreateUnbounded<PeerIdentity>();

        public async Task<PeerIdentity> NextAsync() => await _saved.Reader.ReadAsync().AsTask().WaitAsync(TimeSpan.FromMinutes(1));

        public IReadOnlyList<DtlsSessionState> TakeOver() => [];

        public void Save(DtlsSessionState session) => _saved.Writer.TryWrite(session.Content.Address.Peer);

        public void Remove(string id)
        {
        }

        public void Flush()
        {
        }
    }
}
