using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>The figures of RFC 7252, section 2, with our client in them.</summary>
public sealed class Rfc7252Section2ClientTests : ClientUnderTest
{
    // Figure 2: Reliable Message Transmission
    //
    // Client              Server
    //    |   CON [X]          |
    //    +------------------->|
    //    |   ACK [X]          |
    //    |<-------------------+
    [Fact, Trait("RFC", "7252 2.1")]
    public void Figure_2_A_confirmable_message_is_acknowledged_and_not_sent_again()
    {
        _ = Client.Get("/temperature");

        Server.Expect("CON [X] GET /temperature (Token T)", at: 0);
        Server.Send("ACK [X]");

        Server.ExpectNothing(seconds: 100);
    }

    // Figure 3: Unreliable Message Transmission
    //
    // Client              Server
    //    |   NON [X]          |
    //    +------------------->|
    //    |                    |
    [Fact, Trait("RFC", "7252 2.1")]
    public void Figure_3_A_non_confirmable_message_is_sent_once()
    {
        _ = Client.Get("/temperature", confirmable: false);

        Server.Expect("NON [X] GET /temperature (Token T)", at: 0);

        Server.ExpectNothing(seconds: 100);
    }

    // Figure 4: Two GET Requests with Piggybacked Responses
    //
    // Client              Server       Client              Server
    //    | CON [X]            |           | CON [Y]            |
    //    | GET /temperature   |           | GET /temperature   |
    //    | (Token T)          |           | (Token U)          |
    //    +------------------->|           +------------------->|
    //    | ACK [X]            |           | ACK [Y]            |
    //    | 2.05 Content       |           | 4.04 Not Found     |
    //    | (Token T) "22.5 C" |           | (Token U)          |
    //    |                    |           | "Not found"        |
    //    |<-------------------+           |<-------------------+
    [Fact, Trait("RFC", "7252 2.2"), Trait("RFC", "7252 5.2.1")]
    public void Figure_4_Two_requests_get_piggybacked_responses()
    {
        var first = Client.Get("/temperature");
        Server.Expect("CON [X] GET /temperature (Token T)");
        Server.Send("ACK [X] 2.05 Content (Token T) '22.5 C'");
        Wire.RunUntilIdle(TimeSpan.Zero);

        var second = Client.Get("/temperature");
        Server.Expect("CON [Y] GET /temperature (Token U)");
        Server.Send("ACK [Y] 4.04 Not Found (Token U) 'Not found'");
        Wire.RunUntilIdle(TimeSpan.Zero);

        first.Answer().Should().BeEquivalentTo(new { Code = ResponseCode.Content, PayloadText = "22.5 C" });
        second.Answer().Should().BeEquivalentTo(new { Code = ResponseCode.NotFound, PayloadText = "Not found" });
    }

    // Figure 5: A GET Request with a Separate Response
    //
    // Client              Server
    //    | CON [X]            |
    //    | GET /temperature   |
    //    | (Token T)          |
    //    +------------------->|
    //    | ACK [X]            |
    //    |<-------------------+
    //    ... Time Passes  ...
    //    | CON [0x23bb]       |
    //    | 2.05 Content       |
    //    | (Token T) "22.5 C" |
    //    |<-------------------+
    //    | ACK [0x23bb]       |
    //    +------------------->|
    [Fact, Trait("RFC", "7252 2.2"), Trait("RFC", "7252 5.2.2")]
    public void Figure_5_A_separate_response_is_acknowledged()
    {
        var call = Client.Get("/temperature");

        Server.Expect("CON [X] GET /temperature (Token T)");
        Server.Send("ACK [X]");
        Server.ExpectNothing(seconds: 60);
        Server.Send("CON [0x23bb] 2.05 Content (Token T) '22.5 C'");
        Server.Expect("ACK [0x23bb]", at: 60);

        call.Answer().PayloadText.Should().Be("22.5 C");
        call.Answer().RoundTripTime.Should().Be(TimeSpan.FromSeconds(60));
    }

    // Figure 6: A Request and a Response Carried in Non-confirmable Messages
    //
    // Client              Server
    //    | NON [X]            |
    //    | GET /temperature   |
    //    | (Token T)          |
    //    +------------------->|
    //    | NON [0x23bc]       |
    //    | 2.05 Content       |
    //    | (Token T) "22.5 C" |
    //    |<-------------------+
    [Fact, Trait("RFC", "7252 2.2"), Trait("RFC", "7252 5.2.3")]
    public void Figure_6_A_non_confirmable_request_gets_a_non_confirmable_response()
    {
        var call = Client.Get("/temperature", confirmable: false);

        Server.Expect("NON [X] GET /temperature (Token T)");
        Server.Send("NON [0x23bc] 2.05 Content (Token T) '22.5 C'");
        Server.ExpectNothing(seconds: 10);

        call.Answer().PayloadText.Should().Be("22.5 C");
    }
}

/// <summary>The same figures with our server in them, and the numbers that the RFC gives.</summary>
public sealed class Rfc7252Section2ServerTests : ServerUnderTest
{
    // Figure 4: Two GET Requests with Piggybacked Responses (drawn above)
    [Fact, Trait("RFC", "7252 2.2"), Trait("RFC", "7252 5.2.1")]
    public void Figure_4_Two_requests_get_piggybacked_responses()
    {
        Client.Send("CON [0xbc90] GET /temperature (Token 0x71)");
        Client.Expect("ACK [0xbc90] 2.05 Content (Token 0x71) '22.5 C'", at: 0);

        Client.Send("CON [0xbc91] GET /nowhere (Token 0x72)");
        Client.Expect("ACK [0xbc91] 4.04 Not Found (Token 0x72)", at: 0);
    }

    // Figure 5: A GET Request with a Separate Response
    //
    // Client              Server
    //    | CON [0x7a10]       |
    //    | GET /slow          |
    //    | (Token 0x73)       |
    //    +------------------->|
    //    | ACK [0x7a10]       |
    //    |<-------------------+
    //    ... Time Passes  ...
    //    | CON [Y]            |
    //    | 2.05 Content       |
    //    | (Token 0x73)       |
    //    | "22.5 C"           |
    //    |<-------------------+
    //    | ACK [Y]            |
    //    +------------------->|
    [Fact, Trait("RFC", "7252 2.2"), Trait("RFC", "7252 5.2.2")]
    public void Figure_5_A_handler_that_takes_its_time_gives_a_separate_response()
    {
        Client.Send("CON [0x7a10] GET /slow (Token 0x73)");
        Client.Expect("ACK [0x7a10]", at: 0.25);
        Client.ExpectNothing(seconds: 59.75);
        Slow.Answer(Content("22.5 C"));
        Client.Expect("CON [Y] 2.05 Content (Token 0x73) '22.5 C'", at: 60);
        Client.Send("ACK [Y]");

        Client.ExpectNothing(seconds: 100);
        Server.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    // Figure 6: A Request and a Response Carried in Non-confirmable Messages
    //
    // Client              Server
    //    | NON [0x7a11]       |
    //    | GET /temperature   |
    //    | (Token 0x74)       |
    //    +------------------->|
    //    | NON [Y]            |
    //    | 2.05 Content       |
    //    | (Token 0x74)       |
    //    | "22.5 C"           |
    //    |<-------------------+
    [Fact, Trait("RFC", "7252 2.2"), Trait("RFC", "7252 5.2.3")]
    public void Figure_6_A_non_confirmable_request_gets_a_non_confirmable_response()
    {
        Client.Send("NON [0x7a11] GET /temperature (Token 0x74)");
        Client.Expect("NON [Y] 2.05 Content (Token 0x74) '22.5 C'", at: 0);

        Client.ExpectNothing(seconds: 100);
    }
}
