using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Critical and elective options that are not recognized (RFC 7252, section 5.4), in requests.</summary>
public sealed class Rfc7252Section5_4ServerTests : ServerUnderTest
{
    // Client              Server
    //    | CON [0x0001] GET   |  with option 9001, which is odd and thus critical
    //    +------------------->|
    //    | ACK [0x0001] 4.02  |
    //    |<-------------------+
    [Theory, Trait("RFC", "7252 5.9.2.3"), Trait("RFC", "7252 5.4.1"), Trait("RFC", "7252 5.4.3"), Trait("RFC", "7252 5.4.5")]
    [InlineData("{9001: 0x01}", "27 19 2329", "critical option 9001 *section 5.4.1*")]                           // unknown
    [InlineData("{65535: }", "27 19 ffff", "critical option 65535 *section 5.4.1*")]                             // unknown, the largest number
    [InlineData("{3: }", "27 03", "critical option 3 (Uri-Host), 0 bytes*section 5.4.3*")]                       // 1 to 255 bytes long
    [InlineData("{7: 0x010203}", "27 07", "critical option 7 (Uri-Port), 3 bytes*section 5.4.3*")]               // 0 to 2 bytes long
    [InlineData("{Uri-Port: 5683, Uri-Port: 5683}", "27 07", "critical option 7 *repeated*section 5.4.5*")]      // occurs once
    [InlineData("{Accept: 0, Accept: 50}", "27 11", "critical option 17 (Accept) *repeated*section 5.4.5*")]
    public void A_confirmable_request_with_a_critical_option_that_is_not_recognized_gets_4_02(string options, string entry, string detail)
    {
        Client.Send($"CON [0x0001] POST /counter (Token 0x01) {options}");
        Client.Expect("ACK [0x0001] 4.02 Bad Option (Token 0x01) {Content-Format: 257} '*'", at: 0);

        var payload = WireMessage.Read(Client.LastBytes).Payload;
        payload[0].Should().Be(0xA2, "a map of two entries (RFC 9290, section 2)");
        Hex.Text(payload).Should().Contain(Hex.Text(Hex.Bytes(entry)), "the key of unprocessed options is -8 (RFC 9290, section 3.1.1)");
        System.Text.Encoding.UTF8.GetString(payload).Should().Match($"*{detail}*");
        Count.Should().Be(0);
    }

    // Client              Server
    //    | NON [0x0001] GET   |
    //    +------------------->|
    //    | RST [0x0001]       |
    //    |<-------------------+
    [Fact, Trait("RFC", "7252 5.4.1"), Trait("RFC", "7252 4.3")]
    public void A_non_confirmable_one_is_rejected()
    {
        Client.Send("NON [0x0001] POST /counter (Token 0x01) {9001: 0x01}");
        Client.Expect("RST [0x0001]", at: 0);

        Client.ExpectNothing(seconds: 600);
        Count.Should().Be(0);
    }

    [Theory, Trait("RFC", "7252 5.4.1"), Trait("RFC", "7252 5.4.3"), Trait("RFC", "7252 5.4.5")]
    [InlineData("{9000: 0x01}")]                            // unknown
    [InlineData("{12: 0x010203}")]                          // Content-Format is 0 to 2 bytes long
    [InlineData("{Content-Format: 0, Content-Format: 50}")]
    public void An_elective_option_that_is_not_recognized_is_ignored(string options)
    {
        Client.Send($"CON [0x0001] POST /counter (Token 0x01) {options}");

        Client.Expect("ACK [0x0001] 2.05 Content (Token 0x01) '1'", at: 0);
    }

    [Theory, Trait("RFC", "7252 5.7.2"), Trait("RFC", "7252 5.9.3.6"), Trait("RFC", "7252 5.10.2")]
    [InlineData("{Proxy-Uri: coap://example.net/}"), InlineData("{Proxy-Scheme: coap}")]
    public void A_request_for_a_proxy_gets_5_05(string options)
    {
        Client.Send($"CON [0x0001] POST /counter (Token 0x01) {options}");
        Client.Expect("ACK [0x0001] 5.05 Proxying Not Supported (Token 0x01)", at: 0);

        Count.Should().Be(0);
    }
}

/// <summary>The same, in responses.</summary>
public sealed class Rfc7252Section5_4ClientTests : ClientUnderTest
{
    // Client              Server
    //    | CON [X] GET        |
    //    +------------------->|
    //    | ACK [X] 2.05       |  with option 9001
    //    |<-------------------+  is rejected: to reject an acknowledgement is to be silent
    [Theory, Trait("RFC", "7252 5.4.1")]
    [InlineData("ACK [X]", true, null)]
    [InlineData("CON [0x0101]", true, "RST [0x0101]")]
    [InlineData("CON [0x0101]", false, "RST [0x0101]")]
    [InlineData("NON [0x0101]", false, null)]
    public void A_response_with_a_critical_option_that_is_not_recognized_is_rejected(string response, bool confirmable, string? reaction)
    {
        var call = Client.Get("/temperature", confirmable);

        Server.Expect($"{(confirmable ? "CON" : "NON")} [X] GET /temperature (Token T)");
        Server.Send($"{response} 2.05 Content (Token T) {{9001: 0x01}} '22.3 C'");
        if (reaction is not null) { Server.Expect(reaction, at: 0); }

        Server.ExpectNothing(seconds: 600);
        call.Invoking(one => one.Answer()).Should().Throw<CoapTransportException>().WithMessage("*critical option 9001*");
    }

    [Fact, Trait("RFC", "7252 5.4.1")]
    public void An_elective_option_that_is_not_recognized_is_ignored_and_kept()
    {
        var call = Client.Get("/temperature");

        Server.Expect("CON [X] GET /temperature (Token T)");
        Server.Send("ACK [X] 2.05 Content (Token T) {9000: 0x01} '22.3 C'");
        Server.ExpectNothing(seconds: 1);

        call.Answer().PayloadText.Should().Be("22.3 C");
        call.Answer().Options.Should().ContainSingle().Which.Number.Should().Be(9000);
    }
}
