using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Empty messages and messages transmitted without reliability (RFC 7252, sections 4.1 and 4.3).</summary>
public sealed class Rfc7252Section4_3Tests : ServerUnderTest
{
    // Client              Server
    //    | CON [0x0001]       |  "CoAP ping"
    //    +------------------->|
    //    | RST [0x0001]       |
    //    |<-------------------+
    [Fact, Trait("RFC", "7252 4.3")]
    public void A_ping_is_answered_with_a_Reset_each_time()
    {
        Client.Send("CON [0x0001]");
        Client.Expect("RST [0x0001]", at: 0);

        Client.Send("CON [0x0001]");
        Client.Expect("RST [0x0001]", at: 0);
    }

    [Theory, Trait("RFC", "7252 4.2"), Trait("RFC", "7252 4.3")]
    [InlineData("NON [0x0001]"), InlineData("ACK [0x0001]"), InlineData("RST [0x0001]"), InlineData("ACK [0x0001] 2.05 Content (Token 0x01) '?'")]
    public void Other_messages_that_belong_to_nothing_are_ignored(string message)
    {
        Client.Send(message);

        Client.ExpectNothing(seconds: 600);
    }

    [Fact, Trait("RFC", "7252 4.3")]
    public void A_non_confirmable_request_is_never_acknowledged()
    {
        Client.Send("NON [0x0001] GET /slow (Token 0x01)");
        Client.ExpectNothing(seconds: 60);
        Slow.Answer(Content("22.5 C"));

        Client.Expect("NON [Y] 2.05 Content (Token 0x01) '22.5 C'", at: 60);
        Client.ExpectNothing(seconds: 600);
    }
}

/// <summary>The same sections, as our client takes messages transmitted without reliability.</summary>
public sealed class Rfc7252Section4_3ClientTests : ClientUnderTest
{
    // Client              Server
    //    | CON or NON GET     |
    //    +------------------->|
    //    | NON [0x0101] 2.05  |  the response, a duplicate of it, and one that nobody waits for
    //    |<-------------------+
    [Theory, Trait("RFC", "7252 4.3"), InlineData(true), InlineData(false)]
    public void A_non_confirmable_response_is_never_acknowledged(bool confirmable)
    {
        var call = Client.Get("/temperature", confirmable);
        Server.Expect($"{(confirmable ? "CON" : "NON")} [X] GET /temperature (Token T)");

        Server.Send("NON [0x0101] 2.05 Content (Token T) '22.3 C'");
        Server.ExpectNothing(seconds: 1);
        Server.Send("NON [0x0101] 2.05 Content (Token T) '22.3 C'");
        Server.ExpectNothing(seconds: 1);
        Server.Send("NON [0x0102] 2.05 Content (Token T) '22.3 C'");

        Server.Expect("RST [0x0102]");
        Server.ExpectNothing(seconds: 600);
        call.Answer().PayloadText.Should().Be("22.3 C");
    }
}
