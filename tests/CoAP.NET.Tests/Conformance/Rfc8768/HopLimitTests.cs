namespace CoAP.Tests.Conformance;

/// <summary>A request whose Hop-Limit is out of range is refused (RFC 8768, section 3). It would run for ever in a loop of proxies.</summary>
public sealed class HopLimitTests : ServerUnderTest
{
    // Client              Server
    //    | CON POST, Hop-Limit 0
    //    +------------------->|
    //    | ACK 4.00           |
    //    |<-------------------+
    [Theory, Trait("RFC", "8768 3")]
    [InlineData("{16: 0x00}", "Hop-Limit (option 16) is 0; 1 to 255 are allowed (RFC 8768, section 3).")]
    [InlineData("{16: 0x0100}", "Hop-Limit (option 16) is 256; 1 to 255 are allowed (RFC 8768, section 3).")]
    [InlineData("{16: }", "Hop-Limit (option 16) is 0; 1 to 255 are allowed (RFC 8768, section 3).")]
    [InlineData("{16: 0xffffffff}", "Hop-Limit (option 16) is 4294967295; 1 to 255 are allowed (RFC 8768, section 3).")]
    [InlineData("{16: 0x0000000000}", "Hop-Limit (option 16) is 0; 1 to 255 are allowed (RFC 8768, section 3).")]
    [InlineData("{16: 0x0100000000}", "Hop-Limit (option 16) is a number of 5 bytes; 1 to 255 are allowed (RFC 8768, section 3).")]
    public void A_request_with_a_Hop_Limit_out_of_range_gets_4_00(string options, string error)
    {
        Client.Send($"CON [0x0001] POST /counter (Token 0x01) {options}");

        Client.Expect($"ACK [0x0001] 4.00 Bad Request (Token 0x01) '{error}'", at: 0);
        Count.Should().Be(0);
    }

    [Fact, Trait("RFC", "8768 3")]
    public void A_non_confirmable_request_gets_4_00_too()
    {
        Client.Send("NON [0x0001] POST /counter (Token 0x01) {16: 0x00}");

        Client.Expect("NON [X] 4.00 Bad Request (Token 0x01) '*'", at: 0);
        Count.Should().Be(0);
    }

    [Theory, Trait("RFC", "8768 3"), Trait("RFC", "7252 5.4.3"), Trait("RFC", "7252 5.4.5")]
    [InlineData("{16: 0x01}"), InlineData("{16: 0xff}"), InlineData("{16: 0x10, 16: 0x00}"), InlineData("{16: 0x0001}"), InlineData("{16: 0x00000000ff}")]
    public void A_Hop_Limit_in_range_does_not_matter_to_a_server(string options)
    {
        Client.Send($"CON [0x0001] POST /counter (Token 0x01) {options}");

        Client.Expect("ACK [0x0001] 2.05 Content (Token 0x01) '1'", at: 0);
    }
}
