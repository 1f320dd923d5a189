using CoAP.Lanes;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Multicast as a server sees it (RFC 7252, section 8).</summary>
public sealed class Rfc7252Section8Tests : GroupUnderTest
{
    // Client              Group               A                   B
    //    | NON [0xfc01]       |  GET /temperature (Token 0x71)    |
    //    +------------------->|------------------>|               |
    //    |                    |---------------------------------->|
    //    | NON [X] 2.05 (Token 0x71) "22.3 C at a"                |   within the leisure
    //    |<---------------------------------------+               |
    //    | NON [Y] 2.05 (Token 0x71) "22.3 C at b"                |
    //    |<-------------------------------------------------------+
    [Fact, Trait("RFC", "7252 8.1"), Trait("RFC", "7252 8.2")]
    public void Each_member_answers_from_its_own_address_in_a_non_confirmable_message()
    {
        Join("a", AtOnce);
        Join("b", AtOnce);

        Client.Send("NON [0xfc01] GET /temperature (Token 0x71)");
        Client.Expect("NON [X] 2.05 Content (Token 0x71) '22.3 C at a'", at: 0);
        Client.Partner.Should().Be(PeerIdentity.From("a"));
        Client.Expect("NON [Y] 2.05 Content (Token 0x71) '22.3 C at b'", at: 0);

        Client.Partner.Should().Be(PeerIdentity.From("b"));
        Client.ExpectNothing(seconds: 600);
    }

    [Fact, Trait("RFC", "7252 8.2"), Trait("RFC", "10020 3.6")]
    public void Answers_are_spread_over_the_leisure()
    {
        var names = Enumerable.Range(0, 40).Select(number => $"member-{number}").ToArray();
        foreach (var name in names) { Join(name, AtLeisure).Lane.Random.Next(); }

        Client.Send("NON [0xfc01] GET /temperature (Token 0x71)");
        Wire.RunFor(TimeSpan.FromSeconds(6));

        var times = Wire.Sent(Direction.ToClient).Select(sent => sent.Time.TotalSeconds).Where(time => time >= 0).ToArray();
        times.Should().HaveCount(80, "40 copies of the request go the same way, and 40 answers");
        times.Should().OnlyContain(time => time < 5, "DEFAULT_LEISURE is 5 s");
    }

    [Theory, Trait("RFC", "7252 8.1")]
    [InlineData("CON [0xfc01] GET /temperature (Token 0x71)"), InlineData("CON [0xfc01]"), InlineData("NON [0xfc01]")]
    [InlineData("ACK [0xfc01] 2.05 Content (Token 0x71) '?'"), InlineData("NON [0xfc01] 2.05 Content (Token 0x71) '?'"), InlineData("RST [0xfc01]")]
    public void Only_non_confirmable_requests_are_accepted(string message)
    {
        Join("a", AtOnce);

        Client.Send(message);

        Client.ExpectNothing(seconds: 600);
        Calls.Should().Be(0);
    }

    [Theory, Trait("RFC", "7252 8.1")]
    [InlineData("54 01 fc01 71"), InlineData("51 01 fc01 71 ff"), InlineData("51 20 fc01 71"), InlineData("51 01 fc01 71 f1 00"), InlineData("41 01 fc01 71 ff")]
    public void Malformed_multicast_messages_get_no_Reset(string bytes)
    {
        Join("a", AtOnce);

        Client.SendBytes(bytes);

        Client.ExpectNothing(seconds: 600);
    }

    [Fact, Trait("RFC", "7252 8.1")]
    public void An_unknown_critical_option_gets_no_Reset()
    {
        Join("a", AtOnce);

        Client.SendBytes("""
            51 01 fc01 71                       # version 1, NON, a token of 1 byte, GET, MID
            bb 74656d7065726174757265           # Uri-Path: "temperature"
            e0 fcd1                             # option 65,001 without a value
            """);

        Client.ExpectNothing(seconds: 600);
    }

    [Theory, Trait("RFC", "7252 8.2"), Trait("RFC", "7252 11.3"), Trait("RFC", "10020 3.1.2")]
    [InlineData("GET /nothing"), InlineData("GET /private"), InlineData("PUT /temperature"), InlineData("GET /empty"), InlineData("GET /closed")]
    [InlineData("GET /broken"), InlineData("GET /.well-known/core?rt=none")]
    public void Errors_and_empty_answers_to_a_group_are_suppressed(string request)
    {
        Join("a", AtOnce);

        Client.Send($"NON [0xfc01] {request} (Token 0x71)");

        Client.ExpectNothing(seconds: 600);
        Calls.Should().Be(0);
    }

    [Fact, Trait("RFC", "7252 8.2")]
    public void A_2_03_is_sent_where_a_2_05_would_be()
    {
        Join("a", AtOnce);

        Client.Send("NON [0xfc01] GET /known (Token 0x71) {ETag: 0x01}");

        Client.Expect("NON [X] 2.03 Valid (Token 0x71) {ETag: 0x01}", at: 0);
    }

    [Fact, Trait("RFC", "7252 8.2")]
    public void A_resource_may_still_answer_errors()
    {
        Join("a", AtOnce);

        Client.Send("NON [0xfc01] GET /talkative (Token 0x71)");

        Client.Expect("NON [X] 4.03 Forbidden (Token 0x71)", at: 0);
    }

    [Fact, Trait("RFC", "7252 8.2")]
    public void A_resource_may_take_other_methods_and_answer_without_a_payload()
    {
        Join("a", AtOnce);

        Client.Send("NON [0xfc01] PUT /light (Token 0x71) 'on'");

        Client.Expect("NON [X] 2.04 Changed (Token 0x71)", at: 0);
    }

    [Fact, Trait("RFC", "7252 4.5")]
    public void A_duplicate_is_handled_once()
    {
        Join("a", AtOnce);

        Client.Send("NON [0xfc01] GET /temperature (Token 0x71)");
        Client.Send("NON [0xfc01] GET /temperature (Token 0x71)");

        Client.Expect("NON [X] 2.05 Content (Token 0x71) '22.3 C at a'");
        Client.ExpectNothing(seconds: 100);
        Calls.Should().Be(1);
    }

    [Fact, Trait("RFC", "7252 8.1")]
    public void A_handler_knows_that_the_request_was_sent_to_a_group()
    {
        Join("a", AtOnce);

        Client.Send("NON [0xfc01] GET /many (Token 0x71)");
        Client.Expect("NON [X] 2.05 Content (Token 0x71) 'True'");
        Client.TalkTo("a");
        Client.Send("NON [0x0001] GET /many (Token 0x72)");

        Client.Expect("NON [Y] 2.05 Content (Token 0x72) 'False'");
    }

    [Fact, Trait("RFC", "7252 8.2")]
    public void Answers_beyond_the_limit_are_not_sent()
    {
        var member = Join("a", new CoapServerSettings { Multicast = new MulticastSettings { MaxPendingAnswers = 3 } });

        foreach (var number in new[] { "0xfc01", "0xfc02", "0xfc03" }) { Client.Send($"NON [{number}] GET /temperature (Token {number[..4]})"); }
        Client.TakeAll(seconds: 6);

        Client.Received.Should().HaveCount(2);
        member.Lane.Metrics[LaneCounters.DroppedForOverload].Should().Be(1);
        member.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    [Theory, Trait("RFC", "7252 8.2")]
    [InlineData(100, 80, 1000, 8), InlineData(0, 80, 1000, 5)]
    public void The_leisure_follows_from_the_size_of_the_group(int groupSize, int responseSize, double rate, double seconds)
    {
        var settings = new MulticastSettings { GroupSize = groupSize, TargetRate = rate };

        settings.LeisureFor(responseSize, byDefault: TimeSpan.FromSeconds(5)).Should().Be(TimeSpan.FromSeconds(seconds));
    }
}
