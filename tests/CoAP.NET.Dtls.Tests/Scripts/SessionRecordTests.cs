using CoAP.Dtls;
using CoAP.TestSupport;
using static CoAP.Tests.Dtls.Scripts.ScriptedDevice;

namespace CoAP.Tests.Dtls.Scripts;

/// <summary>The records of a server within a session: their sizes, their connection IDs, and handshake messages among them.</summary>
public sealed class SessionRecordTests : ScriptedTest
{
    [Theory, Trait("RFC", "6066 4"), InlineData(0, 1), InlineData(8, 1), InlineData(0, 2)]
    public void A_response_to_a_device_with_short_records_has_smaller_blocks(int idLength, byte code)
    {
        Serve();
        var device = Begin(idLength, maxFragment: code);
        device.Session.MaxContent.Should().Be(256 << code);
        var body = 0;
        for (var block = 0; body < 3000; block++)
        {
            device.Send(Home, $"CON [0x{block:x4}] GET /large (Token 0x71) {{Block2: {block}/0/{128 << code}}}");
            device.RunFor(0.1);
            body += device.MessagesAt(Home)[^1].Payload.Length;
        }

        device.MessagesAt(Home).Should().OnlyContain(static message => message.Code == 0x45);
        body.Should().Be(3000);
        Wire.Sent(Direction.ToClient).Max(static datagram => datagram.Bytes.Length).Should().BeLessThanOrEqualTo((256 << code) + 13);
    }

    [Fact, Trait("RFC", "6066 4")]
    public void A_device_with_short_records_that_asks_for_large_blocks_gets_smaller_ones()
    {
        Serve();
        var device = Begin(maxFragment: 1);

        device.Send(Home, "CON [0x0001] GET /large (Token 0x71)");
        device.RunFor(0.1);

        device.MessagesAt(Home).Should().ContainSingle().Which.Payload.Length.Should().Be(256);
    }

    [Fact, Trait("RFC", "6066 4")]
    public async Task A_request_to_a_device_with_short_records_is_sent_in_blocks_or_fails_if_its_options_are_too_large()
    {
        Serve();
        var device = Begin(maxFragment: 1);

        var fits = Server.Send(new CoapRequest(RequestCode.Put, "/a") { Payload = new byte[1000] }, Peer);
        device.RunFor(0.1);
        var block = device.MessagesAt(Home).Should().ContainSingle().Subject;
        var fails = Server.Send(new CoapRequest(RequestCode.Get, "/" + string.Join('/', Enumerable.Repeat(new string('a', 200), 4))), Peer);
        device.RunFor(0.1);

        (block.Payload.Length, block.Options.Any(static option => option.Number == 27)).Should().Be((256, true));
        fits.IsCompleted.Should().BeFalse();
        (await FluentActions.Awaiting(() => fails).Should().ThrowAsync<ArgumentException>()).WithMessage("*a message has at most*");
    }

    [Fact, Trait("RFC", "6347 5"), Trait("RFC", "9146 3")]
    public void Resumption_negotiates_connection_IDs_afresh()
    {
        Serve();
        var first = Begin(idLength: 3);
        var (earlier, id) = (first.Resumable, Hex.Text(first.Session.Ids.Peer.Span));
        first.Dispose();

        var second = Begin(idLength: 5, earlier: earlier);
        (second.IsResumed, second.Session.Ids.Own.Length).Should().Be((true, 5));
        Hex.Text(second.Session.Ids.Peer.Span).Should().NotBe(id);
        var third = second.Resumable;
        second.Dispose();
        var without = Begin(idLength: null, earlier: third);

        (without.IsResumed, without.Session.Ids.Own.Length, without.Session.Ids.Peer.Length).Should().Be((true, 0, 0));
    }

    [Fact, Trait("RFC", "5246 7.2.2"), Trait("RFC", "5246 7.4.1.2")]
    public void A_ClientHello_within_a_session_gets_a_warning_and_only_a_Finished_repeats_the_last_flight()
    {
        Serve();
        // Without data of the device, the server keeps its last flight.
        var device = Add(new ScriptedDevice(Wire));
        device.ShakeHands();
        device.RunFor(10);

        device.Send(Home, device.Seal(ContentType.Handshake, Hex.Bytes("01 000001 0009 000000 000001 00")));
        device.RunFor(10);
        device.Arrivals.Should().ContainSingle();
        device.At(Home, ContentType.Alert).Should().ContainSingle().Which.Should().Equal(1, 100);
        device.Forget();
        device.Send(Home, device.Seal(ContentType.Handshake, Hex.Bytes("10 000001 0009 000000 000001 00")));
        device.RunFor(10);
        device.Arrivals.Should().BeEmpty();
        device.Send(Home, device.Seal(ContentType.Handshake, Hex.Bytes("14 00000c 0003 000000 00000c 000000000000000000000000")));
        device.RunFor(10);

        device.Arrivals.Select(static one => one.Type).Should().Contain(ContentType.Handshake);
        ExpectAlive(device);
    }

    // Twice the time for which TCP expects a segment to live (RFC 9293, section 3.4.2).
    [Theory, Trait("RFC", "6347 4.2.4"), InlineData(238, true), InlineData(241, false)]
    public void The_last_flight_of_a_server_is_repeated_for_four_minutes(double seconds, bool isRepeated)
    {
        Serve();
        var device = Add(new ScriptedDevice(Wire));
        device.ShakeHands();
        device.Failure.Should().BeNull();
        device.Forget();
        device.RunFor(seconds - 1);     // behind the handshake there was a second

        device.Send(Home, device.Seal(ContentType.Handshake, Hex.Bytes("14 00000c 0003 000000 00000c 000000000000000000000000")));
        device.RunFor(1);

        device.Arrivals.Any(static one => one.Type == ContentType.Handshake).Should().Be(isRepeated);
    }

    // A connection ID of the peer has up to 255 bytes.
    [Theory, Trait("RFC", "9146 3"), InlineData(255, 1152, true), InlineData(150, 256, true), InlineData(255, 256, false)]
    public void A_long_connection_ID_of_the_device_shortens_messages_or_ends_the_handshake(int idLength, int maxDatagram, bool succeeds)
    {
        Serve(settings => settings with { MaxHandshakeDatagram = maxDatagram });
        var device = Add(new ScriptedDevice(Wire, idLength));

        device.ShakeHands();

        if (succeeds)
        {
            device.Failure.Should().BeNull();
            device.Send(Home, "CON [0x0001] GET /large (Token 0x71)");
            device.RunFor(0.1);
            Wire.Sent(Direction.ToClient).Max(static datagram => datagram.Bytes.Length).Should().BeLessThanOrEqualTo(1152);
        }
        else { device.Failure.Should().Contain("HandshakeFailure"); }
    }
}
