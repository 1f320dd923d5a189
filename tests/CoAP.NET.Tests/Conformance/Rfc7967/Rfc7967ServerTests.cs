namespace CoAP.Tests.Conformance;

/// <summary>Responses that the client does not want (RFC 7967, section 2), as our server leaves them out.</summary>
public sealed class Rfc7967ServerTests : ServerUnderTest
{
    // Client              Server
    //    | NON [0x7d38] POST  |  No-Response: 26
    //    +------------------->|
    //    |                    |  [No response from the server]
    //    | NON [0x7d39] POST  |  No-Response: 26
    //    +------------------->|
    [Fact, Trait("RFC", "7967 2.1"), Trait("RFC", "7967 3")]
    public void A_non_confirmable_request_that_wants_nothing_gets_nothing()
    {
        Client.Send("NON [0x7d38] POST /counter (Token 0x53) {No-Response: 26} 'VehID=00'");
        Client.ExpectNothing(seconds: 10);
        Client.Send("NON [0x7d39] POST /counter (Token 0x54) {No-Response: 26} 'VehID=00'");
        Client.ExpectNothing(seconds: 300);

        Count.Should().Be(2);
        Server.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    [Theory, Trait("RFC", "7967 2.1")]
    [InlineData(0, "/counter", true), InlineData(2, "/counter", false), InlineData(8, "/counter", true), InlineData(16, "/counter", true), InlineData(24, "/counter", true)]
    [InlineData(2, "/nowhere", true), InlineData(8, "/nowhere", false), InlineData(16, "/nowhere", true), InlineData(18, "/nowhere", true)]
    [InlineData(2, "/broken", true), InlineData(8, "/broken", true), InlineData(16, "/broken", false), InlineData(10, "/broken", true)]
    public void Each_class_is_left_out_by_its_own_bit(int wish, string path, bool isAnswered)
    {
        Client.Send($"NON [0x0001] GET {path} (Token 0x41) {{No-Response: {wish}}}");

        Client.TakeAll(seconds: 300);

        Client.Received.Should().HaveCount(isAnswered ? 1 : 0);
    }

    // Client              Server
    //    | CON [1] POST       |  No-Response: 2
    //    +------------------->|
    //    | ACK [1]            |
    //    |<-------------------+
    //    | CON [1] POST       |  once more
    //    +------------------->|
    //    | ACK [1]            |
    //    |<-------------------+
    [Fact, Trait("RFC", "7967 2.1"), Trait("RFC", "7252 4.5")]
    public void A_confirmable_request_gets_its_empty_acknowledgement_again_for_each_duplicate()
    {
        Client.Send("CON [0x0001] POST /counter (Token 0x41) {No-Response: 2}");
        Client.Expect("ACK [0x0001]");
        Client.Send("CON [0x0001] POST /counter (Token 0x41) {No-Response: 2}");
        Client.Expect("ACK [0x0001]");

        Client.ExpectNothing(seconds: 300);
        Count.Should().Be(1);
    }

    [Fact, Trait("RFC", "7967 2.1"), Trait("RFC", "7252 5.2.2")]
    public void After_the_acknowledgement_of_a_slow_handler_nothing_more_is_sent()
    {
        Client.Send("CON [0x0001] POST /slow (Token 0x41) {No-Response: 2}");
        Client.Expect("ACK [0x0001]", at: 0.25);
        Slow.Answer(Response.Changed);
        Client.ExpectNothing(seconds: 10);
        Client.Send("CON [0x0001] POST /slow (Token 0x41) {No-Response: 2}");
        Client.Expect("ACK [0x0001]");

        Client.ExpectNothing(seconds: 300);
        Slow.Calls.Should().Be(1);
    }

    [Fact, Trait("RFC", "7967 2.1")]
    public void An_option_of_a_wrong_length_is_ignored()
    {
        Client.Send("NON [0x0001] POST /counter (Token 0x41) {258: 0x001a}");

        Client.Expect("NON [X] 2.05 Content (Token 0x41) '1'");
    }

    // A critical option that nobody understands makes 4.02, which belongs to class 4 like any other.
    [Fact, Trait("RFC", "7967 2.1"), Trait("RFC", "7252 5.4.1")]
    public void An_error_of_the_stages_before_the_handler_is_left_out_as_well()
    {
        Client.Send("CON [0x0001] POST /counter (Token 0x41) {258: 0x08, 301: 0x}");

        Client.Expect("ACK [0x0001]");

        Client.ExpectNothing(seconds: 300);
        Count.Should().Be(0);
    }
}
