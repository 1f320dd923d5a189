using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Responses: piggybacked, separate and non-confirmable (RFC 7252, section 5.2), as our client takes them.</summary>
public sealed class Rfc7252Section5_2Tests : ClientUnderTest
{
    // Client              Server
    //    | CON [X] GET        |
    //    +------------------->|
    //    |             X------+  ACK [X], lost
    //    | CON [0xad7b] 2.05  |
    //    |<-------------------+  acknowledges the request as well
    //    | ACK [0xad7b]       |
    //    +------------------->|
    [Theory, Trait("RFC", "7252 5.2.2"), Trait("RFC", "7252 5.3.2")]
    [InlineData(true), InlineData(false)]
    public void A_separate_response_without_or_before_the_acknowledgement_ends_the_exchange(bool acknowledgementComesLater)
    {
        var call = Client.Get("/temperature");

        Server.Expect("CON [X] GET /temperature (Token T)");
        Server.ExpectNothing(seconds: 1);
        Server.Send("CON [0xad7b] 2.05 Content (Token T) '22.3 C'");
        if (acknowledgementComesLater) { Server.Send("ACK [X]"); }
        Server.Expect("ACK [0xad7b]", at: 1);

        Server.ExpectNothing(seconds: 600);
        call.Answer().PayloadText.Should().Be("22.3 C");
    }

    // Client              Server
    //    | CON [X] GET        |
    //    +------------------->|
    //    | CON [0xad7b] 2.05  |
    //    |<-------------------+
    //    |  X-----------------+  ACK [0xad7b], lost
    //    | CON [0xad7b] 2.05  |
    //    |<-------------------+
    //    | ACK [0xad7b]       |
    //    +------------------->|
    [Fact, Trait("RFC", "7252 5.2.2"), Trait("RFC", "7252 4.5")]
    public void A_duplicate_of_a_separate_response_is_acknowledged_again()
    {
        _ = Client.Get("/temperature");

        Server.Expect("CON [X] GET /temperature (Token T)");
        Server.Send("CON [0xad7b] 2.05 Content (Token T) '22.3 C'");
        Server.Expect("ACK [0xad7b]");
        Server.Send("CON [0xad7b] 2.05 Content (Token T) '22.3 C'");
        Server.Expect("ACK [0xad7b]");

        Server.ExpectNothing(seconds: 600);
    }

    // Client              Server
    //    | CON [X] GET        |
    //    +------------------->|
    //    | ACK [X] 2.05       |  with a token that is not ours: the request has arrived, the answer is to come
    //    |<-------------------+
    //    | CON [Y] 2.05       |  (Token T)
    //    |<-------------------+
    //    | ACK [Y]            |
    //    +------------------->|
    [Fact, Trait("RFC", "7252 4.2"), Trait("RFC", "7252 5.3.2")]
    public void After_an_acknowledgement_with_another_token_the_response_may_still_come()
    {
        var call = Client.Get("/temperature");

        Server.Expect("CON [X] GET /temperature (Token T)");
        Server.Send("ACK [X] 2.05 Content (Token 0x99) 'of somebody else'");
        Server.ExpectNothing(seconds: 100);
        call.IsCompleted.Should().BeFalse();
        Server.Send("CON [0x0101] 2.05 Content (Token T) '22.3 C'");
        Server.Expect("ACK [0x0101]", at: 100);

        call.Answer().PayloadText.Should().Be("22.3 C");
    }

    [Theory, Trait("RFC", "7252 5.2.2"), Trait("RFC", "7252 5.2.3")]
    [InlineData(true, "NON [0x0101]"), InlineData(false, "NON [0x0101]"), InlineData(false, "CON [0x0101]")]
    public void The_type_of_the_response_need_not_be_that_of_the_request(bool confirmable, string response)
    {
        var call = Client.Get("/temperature", confirmable);

        Server.Expect($"{(confirmable ? "CON" : "NON")} [X] GET /temperature (Token T)");
        Server.Send($"{response} 2.05 Content (Token T) '22.3 C'");
        if (response.StartsWith("CON", StringComparison.Ordinal)) { Server.Expect("ACK [0x0101]"); }

        Server.ExpectNothing(seconds: 600);
        call.Answer().PayloadText.Should().Be("22.3 C");
    }

    // Client              Server
    //    | CON [X] GET        |
    //    +------------------->|
    //    | ACK [X]            |
    //    |<-------------------+
    //    ... EXCHANGE_LIFETIME (232 s with ACK_RANDOM_FACTOR 1) ...
    // TIMEOUT                 |
    [Fact, Trait("RFC", "7252 5.2.2"), Trait("RFC", "7252 4.8.2")]
    public void An_acknowledged_request_waits_for_its_response_for_EXCHANGE_LIFETIME()
    {
        var call = Client.Get("/temperature");
        Server.Expect("CON [X] GET /temperature (Token T)");
        Server.ExpectNothing(seconds: 1);
        Server.Send("ACK [X]");

        Server.ExpectNothing(seconds: 231.9);
        call.IsCompleted.Should().BeFalse();
        Server.ExpectNothing(seconds: 0.1);

        call.Invoking(one => one.Answer()).Should().Throw<CoapTimeoutException>()
            .Which.Should().BeEquivalentTo(new { Attempts = 1, Elapsed = TimeSpan.FromSeconds(233), IsAcknowledged = true });
    }

    [Theory, Trait("RFC", "7252 5.2.2")]
    [InlineData(true), InlineData(false)]
    public void A_request_may_say_how_long_it_waits_for_its_response(bool confirmable)
    {
        var call = Client.Send(new CoapRequest(RequestCode.Get, "/t") { IsConfirmable = confirmable, ResponseTimeout = TimeSpan.FromSeconds(10) });
        Server.Expect($"{(confirmable ? "CON" : "NON")} [X] GET /t (Token T)");
        if (confirmable) { Server.Send("ACK [X]"); }

        Server.ExpectNothing(seconds: 10);

        call.Invoking(one => one.Answer()).Should().Throw<CoapTimeoutException>()
            .Which.Should().BeEquivalentTo(new { Attempts = 1, Elapsed = TimeSpan.FromSeconds(10), IsAcknowledged = confirmable });
    }
}

/// <summary>The same section, as our server answers.</summary>
public sealed class Rfc7252Section5_2ServerTests : ServerUnderTest
{
    [Fact, Trait("RFC", "7252 5.2.1")]
    public void A_handler_that_is_quick_enough_gives_a_piggybacked_response()
    {
        Client.Send("CON [0x0001] GET /slow (Token 0x01)");
        Client.ExpectNothing(seconds: 0.249);
        Slow.Answer(Content("just in time"));

        Client.Expect("ACK [0x0001] 2.05 Content (Token 0x01) 'just in time'", at: 0.249);
        Client.ExpectNothing(seconds: 600);
    }

    [Fact, Trait("RFC", "7252 5.2.2")]
    public void A_handler_may_have_the_empty_acknowledgement_sent_at_once()
    {
        var wire = new Wire(new ManualClock());
        using var client = ScriptedPeer.Client(wire);
        using var server = LaneEnd.Server(wire, map => map.At("slow").Get(async (request, _) =>
        {
            request.Acknowledge();
            await LateAnswer.After(wire.Time, TimeSpan.FromSeconds(3));
            return Content("22.5 C");
        }), Settings);

        client.Send("CON [0x0001] GET /slow (Token 0x01)");

        client.Expect("ACK [0x0001]", at: 0);
        client.Expect("CON [Y] 2.05 Content (Token 0x01) '22.5 C'", at: 3);
    }

    [Fact, Trait("RFC", "7252 5.2.2")]
    public void Answers_leave_in_the_order_in_which_they_are_ready()
    {
        Client.Send("CON [0x0001] GET /slow (Token 0x01)");
        Client.Send("CON [0x0002] GET /temperature (Token 0x02)");

        Client.Expect("ACK [0x0002] 2.05 Content (Token 0x02) '22.5 C'", at: 0);
        Client.Expect("ACK [0x0001]", at: 0.25);
    }
}
