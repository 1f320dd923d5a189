using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Conformance;

/// <summary>Response codes that our server gives by itself (RFC 7252, section 5.9).</summary>
public sealed class Rfc7252Section5_9Tests : ServerUnderTest
{
    [Theory]
    [InlineData("GET /nowhere", "4.04 Not Found"), Trait("RFC", "7252 5.9.2.5")]
    [InlineData("PUT /temperature", "4.05 Method Not Allowed"), Trait("RFC", "7252 5.9.2.6")]
    [InlineData("0.31 /temperature", "4.05 Method Not Allowed"), Trait("RFC", "7252 5.8")]
    public void Unmapped_paths_are_answered_without_user_code(string request, string response)
    {
        Client.Send($"CON [0x0001] {request} (Token 0x01)");

        Client.Expect($"ACK [0x0001] {response} (Token 0x01)", at: 0);
    }

    // Client              Server
    //    | CON [0x0001] GET   |  /broken: its handler throws
    //    +------------------->|
    //    | ACK [0x0001] 5.00  |  without a word about why
    //    |<-------------------+
    [Fact, Trait("RFC", "7252 5.9.3.1"), Trait("RFC", "7252 5.9.3")]
    public void A_handler_that_fails_gives_5_00_and_others_are_not_affected()
    {
        using var other = ScriptedPeer.Client(Wire, "other");
        Client.Send("CON [0x0001] GET /broken (Token 0x01)");
        other.Send("CON [0x0001] GET /temperature (Token 0x02)");

        Client.Expect("ACK [0x0001] 5.00 Internal Server Error (Token 0x01) 'The server failed to process the request.'", at: 0);
        other.Expect("ACK [0x0001] 2.05 Content (Token 0x02) '22.5 C'", at: 0);
        Server.Log.Lines(LogLevel.Error).Should().ContainSingle().Which.Should().Contain("/broken").And.Contain("[01]");
    }

    [Fact, Trait("RFC", "7252 5.9.3.1"), Trait("RFC", "7252 5.2.2")]
    public void A_handler_that_fails_later_gives_5_00_as_well()
    {
        Client.Send("CON [0x0001] GET /slow (Token 0x01)");
        Client.Expect("ACK [0x0001]", at: 0.25);
        Slow.Fail(new InvalidOperationException("a secret"));

        Client.Expect("CON [Y] 5.00 Internal Server Error (Token 0x01) 'The server failed to process the request.'", at: 0.25);
    }

    [Fact, Trait("RFC", "7252 5.9"), Trait("RFC", "7252 5.9.2.4"), Trait("RFC", "7252 5.5.2"), Trait("RFC", "7252 5.9.2")]
    public void A_response_that_is_thrown_becomes_the_response()
    {
        Client.Send("CON [0x0001] GET /closed (Token 0x01)");

        Client.Expect("ACK [0x0001] 4.03 Forbidden (Token 0x01) 'members only'", at: 0);
    }
}
