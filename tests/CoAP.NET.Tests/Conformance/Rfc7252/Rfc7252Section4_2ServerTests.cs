using CoAP.Lanes;

namespace CoAP.Tests.Conformance;

/// <summary>Messages transmitted reliably (RFC 7252, section 4.2): our separate responses, and what cannot be read.</summary>
public sealed class Rfc7252Section4_2ServerTests : ServerUnderTest
{
    // Client              Server
    //    | CON [0x7a10] GET   |
    //    +------------------->|
    //    | ACK [0x7a10]       |
    //    |<-------------------+
    //    | CON [Y] 2.05       |
    //    |              X-----+  at 1 s
    //    |              X-----+  at 3 s
    //    |<-------------------+  at 7 s
    //    | ACK [Y]            |
    //    +------------------->|
    [Fact, Trait("RFC", "7252 4.2"), Trait("RFC", "7252 5.2.2")]
    public void A_separate_response_is_sent_again_until_it_is_acknowledged()
    {
        AnswerSeparately();

        Client.Expect("CON [Y] 2.05 Content (Token 0x73) '22.5 C'", at: 1);
        Client.Expect("CON [Y] 2.05 Content (Token 0x73) '22.5 C'", at: 3);
        Client.Expect("CON [Y] 2.05 Content (Token 0x73) '22.5 C'", at: 7);
        Client.Send("ACK [Y]");

        Client.ExpectNothing(seconds: 600);
    }

    [Fact, Trait("RFC", "7252 4.2"), Trait("RFC", "7252 5.2.2")]
    public void A_separate_response_that_nobody_acknowledges_is_given_up_and_counted()
    {
        AnswerSeparately();

        foreach (var at in new[] { 1, 3, 7, 15, 31 }) { Client.Expect("CON [Y] 2.05 Content (Token 0x73) '22.5 C'", at); }
        Client.ExpectNothing(seconds: 600);

        Server.Lane.Metrics[LaneCounters.UnacknowledgedAnswers].Should().Be(1);
        Server.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    // Client              Server
    //    | CON [Y] 2.05       |
    //    |<-------------------+
    //    | RST [Y]            |  the client has forgotten its request
    //    +------------------->|
    [Theory, Trait("RFC", "7252 4.2"), Trait("RFC", "7252 5.2.2")]
    [InlineData("RST [Y]"), InlineData("ACK [Y] 2.05 Content (Token 0x01) '?'")]
    public void A_Reset_or_any_acknowledgement_ends_a_separate_response(string reaction)
    {
        AnswerSeparately();

        Client.Expect("CON [Y] 2.05 Content (Token 0x73) '22.5 C'", at: 1);
        Client.Send(reaction);

        Client.ExpectNothing(seconds: 600);
    }

    [Fact, Trait("RFC", "7252 4.2"), Trait("RFC", "7252 4.4")]
    public void A_request_that_only_has_the_same_number_does_not_end_a_separate_response()
    {
        AnswerSeparately();

        Client.Expect("CON [Y] 2.05 Content (Token 0x73) '22.5 C'", at: 1);
        Client.Send("CON [Y] GET /temperature (Token 0x74)");
        Client.Expect("ACK [Y] 2.05 Content (Token 0x74) '22.5 C'", at: 1);

        Client.Expect("CON [Y] 2.05 Content (Token 0x73) '22.5 C'", at: 3);
    }

    // Client              Server
    //    | CON [0x1234] ???   |
    //    +------------------->|
    //    | RST [0x1234]       |
    //    |<-------------------+
    [Theory, Trait("RFC", "7252 4.2"), Trait("RFC", "7252 3")]
    [InlineData("40 01 1234 ff", "no payload behind the marker")]
    [InlineData("4f 01 1234", "a reserved token length")]
    [InlineData("44 01 1234 aabb", "a token that ends too early")]
    [InlineData("40 01 1234 f0", "a reserved option delta")]
    [InlineData("40 01 1234 bf", "a reserved option length")]
    [InlineData("40 01 1234 b5 61", "an option that ends too early")]
    [InlineData("40 01 1234 e0 ffff e0 ffff", "an option number over 65,535")]
    [InlineData("40 20 1234", "a reserved code class")]
    [InlineData("41 00 1234 aa", "an Empty message with a token")]
    [InlineData("40 00 1234 ff 61", "an Empty message with a payload")]
    public void A_confirmable_message_that_cannot_be_read_is_rejected_with_a_Reset(string bytes, string wrong)
    {
        Client.SendBytes(bytes);

        Client.Expect("RST [0x1234]", at: 0);
        Server.Lane.Metrics[LaneCounters.Malformed].Should().Be(1, wrong);
    }

    [Theory, Trait("RFC", "7252 4.2"), Trait("RFC", "7252 4.3"), Trait("RFC", "7252 3")]
    [InlineData("50 01 1234 ff", "a non-confirmable message")]
    [InlineData("60 45 1234 ff", "an acknowledgement")]
    [InlineData("70 00 1234 ff", "a Reset")]
    [InlineData("00 01 1234", "version 0")]
    [InlineData("80 01 1234", "version 2")]
    [InlineData("c0 01 1234 ff", "version 3")]
    [InlineData("40 01 12", "a header that ends too early")]
    [InlineData("", "nothing at all")]
    public void Other_malformed_messages_are_ignored(string bytes, string what)
    {
        Client.SendBytes(bytes);

        Client.ExpectNothing(seconds: 600);
        Server.Lane.Metrics[LaneCounters.Malformed].Should().Be(1, what);
    }

    private void AnswerSeparately()
    {
        Client.Send("CON [0x7a10] GET /slow (Token 0x73)");
        Client.Expect("ACK [0x7a10]", at: 0.25);
        Client.ExpectNothing(seconds: 0.75);
        Slow.Answer(Content("22.5 C"));
    }
}
