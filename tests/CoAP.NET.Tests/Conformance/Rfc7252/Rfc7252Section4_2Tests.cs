using CoAP.Lanes;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Messages transmitted reliably (RFC 7252, section 4.2): our requests.</summary>
public sealed class Rfc7252Section4_2Tests : ClientUnderTest
{
    // Client              Server
    //    | CON [X] GET        |
    //    +----X               |  at 0 s
    //    +----X               |  at 2 s
    //    +----X               |  at 6 s
    //    +----X               |  at 14 s
    //    +----X               |  at 30 s
    // TIMEOUT                 |  at 62 s
    [Fact, Trait("RFC", "7252 4.2"), Trait("RFC", "7252 4.8")]
    public void A_request_that_nobody_acknowledges_is_sent_four_more_times_with_doubled_waits_and_then_fails()
    {
        var call = Client.Get("/temperature");

        Server.Expect("CON [X] GET /temperature (Token T)", at: 0);
        var bytes = Server.LastBytes;
        foreach (var at in new[] { 2, 6, 14, 30 })
        {
            Server.Expect("CON [X] GET /temperature (Token T)", at);
            Server.LastBytes.Should().Equal(bytes);
        }
        Server.ExpectNothing(seconds: 31.9);
        call.IsCompleted.Should().BeFalse();
        Server.ExpectNothing(seconds: 0.1);

        call.Invoking(one => one.Answer()).Should().Throw<CoapTimeoutException>()
            .Which.Should().BeEquivalentTo(new { Attempts = 5, Elapsed = TimeSpan.FromSeconds(62), IsAcknowledged = false });
    }

    // Client              Server
    //    | CON [X] GET        |
    //    +------------------->|
    //    | ACK [X] GET        |  carries a request, so it is ignored
    //    |<-------------------+
    //    | CON [X] GET        |
    //    +------------------->|  at 2 s
    [Theory, Trait("RFC", "7252 4.2"), Trait("RFC", "7252 4.3")]
    [InlineData("ACK [X] GET /temperature"), InlineData("ACK [X] GET /temperature (Token T)")]
    [InlineData("RST [X] GET /temperature"), InlineData("RST [X] 2.05 Content (Token T)")]
    public void An_acknowledgement_or_Reset_that_carries_what_it_must_not_is_ignored(string message)
    {
        var call = Client.Get("/temperature");
        Server.Expect("CON [X] GET /temperature (Token T)", at: 0);

        Server.Send(message);

        Server.Expect("CON [X] GET /temperature (Token T)", at: 2);
        call.IsCompleted.Should().BeFalse();
        Server.Send("ACK [X] 2.05 Content (Token T) '22'");
        Wire.RunUntilIdle(TimeSpan.Zero);
        call.Answer().PayloadText.Should().Be("22");
    }

    [Theory, Trait("RFC", "7252 4.2"), Trait("RFC", "7252 4.8")]
    [InlineData(1), InlineData(2), InlineData(3), InlineData(4), InlineData(5), InlineData(6), InlineData(7), InlineData(8)]
    public void The_first_wait_is_chosen_between_two_and_three_seconds_and_then_doubled(int seed)
    {
        var wire = new Wire(new ManualClock(), seed);
        using var client = LaneEnd.Client(wire);
        using var server = ScriptedPeer.Server(wire);

        _ = client.Get("/temperature");
        wire.RunUntilIdle();

        var times = wire.Sent(Direction.ToServer).Select(sent => sent.Time.TotalSeconds).ToList();
        var first = times[1];
        first.Should().BeInRange(2, 3, "ACK_TIMEOUT is 2 s, ACK_RANDOM_FACTOR 1.5 (seed {0})", seed);
        new[] { 0, first, 3 * first, 7 * first, 15 * first }.Zip(times, (expected, sent) => Math.Abs(expected - sent)).Should().OnlyContain(error => error < 1e-5);
        times.Should().HaveCount(5);
    }

    // The old CoAP.NET went on retransmitting although the answer with the matching message ID had come.
    //
    // Client              Server
    //    | CON [X] GET        |
    //    +------------------->|
    //    | ACK [X] …          |
    //    |<-------------------+
    //    |                    |  nothing for ever
    [Theory, Trait("RFC", "7252 4.2")]
    [InlineData("ACK [X]")]
    [InlineData("ACK [X] 2.05 Content (Token T) 'the answer'")]
    [InlineData("ACK [X] 2.05 Content (Token 0x99) 'the answer to another question'")]
    [InlineData("ACK [X] 2.05 Content 'no token'")]
    [InlineData("ACK [X] 2.05 Content (Token T) {9001: 0x01} 'a critical option that nobody knows'")]
    [InlineData("RST [X]")]
    public void An_acknowledgement_or_Reset_with_the_matching_message_ID_ends_the_retransmission_whatever_else_is_in_it(string answer)
    {
        _ = Client.Get("/temperature");

        Server.Expect("CON [X] GET /temperature (Token T)");
        Server.Send(answer);

        Server.ExpectNothing(seconds: 600);
        Client.Lane.Metrics[LaneCounters.Retransmissions].Should().Be(0);
    }

    // Client              Server
    //    | CON [X] GET        |
    //    +------------------->|
    //    | CON [X] GET        |  the server's own request, by chance with our number
    //    |<-------------------+
    //    | ACK [X] 5.01       |
    //    +------------------->|
    //    | CON [X] GET        |  at 2 s
    //    +------------------->|
    [Fact, Trait("RFC", "7252 4.2"), Trait("RFC", "7252 4.4")]
    public void A_confirmable_message_of_the_peer_with_the_same_number_does_not_end_the_retransmission()
    {
        _ = Client.Get("/temperature");

        Server.Expect("CON [X] GET /temperature (Token T)");
        Server.Send("CON [X] GET /ours (Token T)");
        Server.Expect("ACK [X] 5.01 Not Implemented (Token T)", at: 0);

        Server.Expect("CON [X] GET /temperature (Token T)", at: 2);
    }

    [Theory, Trait("RFC", "7252 4.2"), Trait("RFC", "7252 4.4")]
    [InlineData("NON [X] GET /ours (Token 0x01)", "NON [Y] 5.01 Not Implemented (Token 0x01)")]
    [InlineData("NON [X] 2.05 Content (Token 0x01) '?'", "RST [X]")]
    [InlineData("CON [X] 2.05 Content (Token 0x01) '?'", "RST [X]")]
    [InlineData("CON [X]", "RST [X]")]
    public void Another_kind_of_message_with_the_same_message_ID_does_not_end_the_retransmission(string message, string reaction)
    {
        var call = Client.Get("/temperature");

        Server.Expect("CON [X] GET /temperature (Token T)");
        Server.Send(message);
        Server.Expect(reaction, at: 0);

        Server.Expect("CON [X] GET /temperature (Token T)", at: 2);
        Server.Send("ACK [X] 2.05 Content (Token T) '22.5 C'");
        Server.ExpectNothing(seconds: 1);
        call.Answer().PayloadText.Should().Be("22.5 C");
    }

    // Client              Server     Stranger
    //    | CON [X] GET        |          |
    //    +------------------->|          |
    //    | ACK [X]            |          |
    //    |<-------------------|----------+
    //    | CON [X] GET        |          |  at 2 s
    //    +------------------->|          |
    [Theory, Trait("RFC", "7252 4.2")]
    [InlineData(0x60), InlineData(0x70)]
    public void An_acknowledgement_or_Reset_from_another_endpoint_does_not_end_the_retransmission(byte firstByte)
    {
        using var stranger = ScriptedPeer.Server(Wire, "stranger");
        var call = Client.Get("/temperature");

        Server.Expect("CON [X] GET /temperature (Token T)");
        stranger.Send([firstByte, 0, Server.LastBytes[2], Server.LastBytes[3]]);

        Server.Expect("CON [X] GET /temperature (Token T)", at: 2);
        call.IsCompleted.Should().BeFalse();
    }

    // Client              Server
    //    | CON [X] GET        |
    //    +------------------->|
    //    | RST [X]            |
    //    |<-------------------+
    [Theory, Trait("RFC", "7252 4.2"), Trait("RFC", "7252 4.3")]
    [InlineData(true, "CON"), InlineData(false, "NON")]
    public void A_Reset_fails_the_request_at_once(bool confirmable, string type)
    {
        var call = Client.Get("/temperature", confirmable);

        Server.Expect($"{type} [X] GET /temperature (Token T)");
        Server.Send("RST [X]");
        Server.ExpectNothing(seconds: 600);

        call.Invoking(one => one.Answer()).Should().Throw<CoapResetException>();
    }

    [Fact, Trait("RFC", "7252 4.2")]
    public void Each_request_may_have_transmission_parameters_of_its_own()
    {
        var hurried = new TransmissionParameters { AckTimeout = TimeSpan.FromSeconds(0.5), AckRandomFactor = 1, MaxRetransmit = 1 };
        var call = Client.Send(new CoapRequest(RequestCode.Get, "/temperature") { Transmission = hurried });

        Server.Expect("CON [X] GET /temperature (Token T)", at: 0);
        Server.Expect("CON [X] GET /temperature (Token T)", at: 0.5);
        Server.ExpectNothing(seconds: 1);

        call.Invoking(one => one.Answer()).Should().Throw<CoapTimeoutException>().Which.Elapsed.Should().Be(TimeSpan.FromSeconds(1.5));
    }
}
