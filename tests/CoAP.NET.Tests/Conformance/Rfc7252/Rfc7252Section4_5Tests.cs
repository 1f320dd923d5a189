using CoAP.Lanes;

namespace CoAP.Tests.Conformance;

/// <summary>Message deduplication (RFC 7252, section 4.5).</summary>
public sealed class Rfc7252Section4_5Tests : ServerUnderTest
{
    // Client              Server
    //    | CON [0x0001] POST  |
    //    +------------------->|  the handler runs
    //    | ACK [0x0001] 2.05  |
    //    |<-------------------+
    //    | CON [0x0001] POST  |
    //    +------------------->|  the handler does not run
    //    | ACK [0x0001] 2.05  |  the same bytes
    //    |<-------------------+
    [Fact, Trait("RFC", "7252 4.5")]
    public void A_duplicate_of_a_confirmable_request_is_answered_by_the_same_bytes_and_handled_once()
    {
        Client.Send("CON [0x0001] POST /counter (Token 0x01)");
        Client.Expect("ACK [0x0001] 2.05 Content (Token 0x01) '1'");
        var first = Client.LastBytes;
        Client.ExpectNothing(seconds: 231);

        Client.Send("CON [0x0001] POST /counter (Token 0x01)");
        Client.ExpectBytes(first);

        Count.Should().Be(1);
        Server.Lane.Metrics[LaneCounters.Duplicates].Should().Be(1);
    }

    // Client              Server
    //    | CON [0x0001] GET   |
    //    +------------------->|  the handler begins
    //    | CON [0x0001] GET   |
    //    +------------------->|  nothing: nothing was sent yet
    //    | ACK [0x0001]       |
    //    |<-------------------+  after 250 ms
    //    | CON [0x0001] GET   |
    //    +------------------->|
    //    | ACK [0x0001]       |  the same again
    //    |<-------------------+
    [Fact, Trait("RFC", "7252 4.5"), Trait("RFC", "7252 5.2.2")]
    public void While_the_handler_runs_a_duplicate_gets_what_was_sent_so_far()
    {
        Client.Send("CON [0x0001] GET /slow (Token 0x01)");
        Client.Send("CON [0x0001] GET /slow (Token 0x01)");
        Client.ExpectNothing(seconds: 0.2);

        Client.Expect("ACK [0x0001]", at: 0.25);
        Client.Send("CON [0x0001] GET /slow (Token 0x01)");
        Client.Expect("ACK [0x0001]", at: 0.25);

        Slow.Calls.Should().Be(1);
    }

    // Client              Server
    //    | CON [0x0001] GET   |
    //    +------------------->|
    //    | ACK [0x0001]       |
    //    |<-------------------+
    //    | CON [Y] 2.05       |
    //    |<-------------------+
    //    | ACK [Y]            |
    //    +------------------->|
    //    | CON [0x0001] GET   |  late, from the network
    //    +------------------->|  not handled again
    [Fact, Trait("RFC", "7252 4.5"), Trait("RFC", "7252 5.2.2")]
    public void A_duplicate_that_comes_after_the_separate_response_is_not_handled_again()
    {
        Client.Send("CON [0x0001] GET /slow (Token 0x01)");
        Client.Expect("ACK [0x0001]");
        Slow.Answer(Content("22.5 C"));
        Client.Expect("CON [Y] 2.05 Content (Token 0x01) '22.5 C'");
        Client.Send("ACK [Y]");

        Client.Send("CON [0x0001] GET /slow (Token 0x01)");
        Client.Expect("ACK [0x0001]", at: 0.25);

        Client.ExpectNothing(seconds: 100);
        Slow.Calls.Should().Be(1);
    }

    // Client              Server
    //    | NON [0x0001] POST  |
    //    +------------------->|  the handler runs
    //    | NON [Y] 2.05       |
    //    |<-------------------+
    //    | NON [0x0001] POST  |
    //    +------------------->|  ignored
    [Fact, Trait("RFC", "7252 4.5")]
    public void A_duplicate_of_a_non_confirmable_request_is_ignored()
    {
        Client.Send("NON [0x0001] POST /counter (Token 0x01)");
        Client.Expect("NON [Y] 2.05 Content (Token 0x01) '1'");

        Client.Send("NON [0x0001] POST /counter (Token 0x01)");
        Client.ExpectNothing(seconds: 129);

        Count.Should().Be(1);
        Server.Lane.Metrics[LaneCounters.Duplicates].Should().Be(1);
    }

    [Theory, Trait("RFC", "7252 4.5"), Trait("RFC", "7252 4.8.2")]
    [InlineData("CON", "ACK [0x0001]", 232.1), InlineData("NON", "NON [Y]", 130.1)]
    public void After_its_lifetime_the_same_message_ID_is_a_new_message(string type, string answer, double lifetime)
    {
        // With ACK_RANDOM_FACTOR 1, MAX_TRANSMIT_SPAN is 30 s instead of 45 s, and both lifetimes are 15 s shorter than the RFC's.
        Client.Send($"{type} [0x0001] POST /counter (Token 0x01)");
        Client.Expect($"{answer} 2.05 Content (Token 0x01) '1'");
        Client.ExpectNothing(lifetime);

        Client.Send($"{type} [0x0001] POST /counter (Token 0x01)");
        Client.Expect($"{answer.Replace('Y', 'Z')} 2.05 Content (Token 0x01) '2'");
    }

    // Client              Server
    //    | CON [0x0001] POST  |  (Token 0x01)
    //    +------------------->|
    //    | CON [0x0001] POST  |  (Token 0x02): a client that breaks section 4.4
    //    +------------------->|  is served all the same
    [Fact, Trait("RFC", "7252 4.4"), Trait("RFC", "7252 4.5")]
    public void The_same_message_ID_with_other_bytes_is_a_new_request_and_counted()
    {
        Client.Send("CON [0x0001] POST /counter (Token 0x01)");
        Client.Expect("ACK [0x0001] 2.05 Content (Token 0x01) '1'");

        Client.Send("CON [0x0001] POST /counter (Token 0x02)");
        Client.Expect("ACK [0x0001] 2.05 Content (Token 0x02) '2'");

        Server.Lane.Metrics[LaneCounters.PeersReusingMessageIds].Should().Be(1);
    }

    [Fact, Trait("RFC", "7252 4.5")]
    public void The_same_message_from_another_endpoint_is_another_message()
    {
        using var other = ScriptedPeer.Client(Wire, "other");
        Client.Send("CON [0x0001] POST /counter (Token 0x01)");
        Client.Expect("ACK [0x0001] 2.05 Content (Token 0x01) '1'");

        other.Send("CON [0x0001] POST /counter (Token 0x01)");
        other.Expect("ACK [0x0001] 2.05 Content (Token 0x01) '2'");
    }
}
