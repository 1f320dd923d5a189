using CoAP.Lanes;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Request/response matching by tokens (RFC 7252, section 5.3).</summary>
public sealed class Rfc7252Section5_3Tests : ClientUnderTest
{
    [Fact, Trait("RFC", "7252 5.3.1"), Trait("RFC", "7967 3.1"), Trait("RFC", "9175 4.2"), Trait("RFC", "9175 5.1")]
    public void Tokens_have_eight_bytes_and_never_repeat()
    {
        var wire = new Wire(new ManualClock());
        using var client = LaneEnd.Client(wire, Settings with { Transmission = new() { NStart = 2000 } });
        for (var i = 0; i < 1000; i++) { _ = client.Get("/t"); }

        wire.RunUntilIdle(TimeSpan.Zero);

        var tokens = wire.Sent(Direction.ToServer).Select(sent => Hex.Text(WireMessage.Read(sent.Bytes).Token)).ToList();
        tokens.Should().HaveCount(1000).And.OnlyHaveUniqueItems().And.OnlyContain(token => token.Length == 16);
    }

    // Client              Server       Stranger
    //    | CON [X] GET        |            |
    //    +------------------->|            |
    //    | CON [0x0101] 2.05 (Token T)     |  the right token, but not from the server
    //    |<--------------------------------+
    //    | RST [0x0101]       |            |
    //    +-------------------------------->|
    [Theory, Trait("RFC", "7252 5.3.2")]
    [InlineData(0x48), InlineData(0x58)]
    public void The_token_counts_only_from_the_endpoint_that_was_asked(byte firstByte)
    {
        using var stranger = ScriptedPeer.Server(Wire, "stranger");
        var call = Client.Get("/temperature");

        Server.Expect("CON [X] GET /temperature (Token T)");
        stranger.Send([firstByte, 0x45, 1, 1, .. WireMessage.Read(Server.LastBytes).Token, 0xFF, (byte)'!']);
        stranger.Expect("RST [0x0101]");
        call.IsCompleted.Should().BeFalse();

        Server.Send("ACK [X] 2.05 Content (Token T) '22.3 C'");
        Server.ExpectNothing(seconds: 1);
        call.Answer().PayloadText.Should().Be("22.3 C");
    }

    // Client              Server
    //    | CON [0x0101] 2.05  |  nobody asked
    //    |<-------------------+
    //    | RST [0x0101]       |
    //    +------------------->|
    //    | CON [0x0101] 2.05  |  a duplicate
    //    |<-------------------+
    //    | RST [0x0101]       |  the same bytes
    //    +------------------->|
    [Fact, Trait("RFC", "7252 5.3.2"), Trait("RFC", "7252 4.5")]
    public void A_confirmable_response_that_nobody_waits_for_is_rejected_and_its_duplicate_as_well()
    {
        Server.Send("CON [0x0101] 2.05 Content (Token 0x99) '?'");
        Server.Expect("RST [0x0101]");
        Server.Send("CON [0x0101] 2.05 Content (Token 0x99) '?'");
        Server.Expect("RST [0x0101]");

        Client.Lane.Metrics[LaneCounters.Duplicates].Should().Be(1);
        Client.Lane.Metrics[LaneCounters.Unmatched].Should().Be(1);
    }

    [Fact, Trait("RFC", "7252 5.3.2")]
    public void A_piggybacked_response_with_another_message_ID_is_ignored()
    {
        var call = Client.Get("/temperature");
        Server.Expect("CON [X] GET /temperature (Token T)", at: 0);
        var request = WireMessage.Read(Server.LastBytes);

        Server.Send([0x68, 0x45, (byte)((request.Id + 1) >> 8), (byte)(request.Id + 1), .. request.Token, 0xFF, (byte)'!']);

        Server.Expect("CON [X] GET /temperature (Token T)", at: 2);
        call.IsCompleted.Should().BeFalse();
    }

    [Theory, Trait("RFC", "7252 5.3.2")]
    [InlineData("CON [0x0101] 2.05 Content '?'"), InlineData("CON [0x0101] 2.05 Content (Token 0x00) '?'")]
    public void A_token_of_another_length_is_another_token(string response)
    {
        var call = Client.Get("/temperature");

        Server.Expect("CON [X] GET /temperature (Token T)");
        Server.Send(response);
        Server.Expect("RST [0x0101]", at: 0);

        call.IsCompleted.Should().BeFalse();
    }

    [Fact, Trait("RFC", "7252 5.3.2")]
    public void A_second_response_is_rejected()
    {
        var call = Client.Get("/temperature");

        Server.Expect("CON [X] GET /temperature (Token T)");
        Server.Send("CON [0x0101] 2.05 Content (Token T) 'first'");
        Server.Expect("ACK [0x0101]");
        Server.Send("CON [0x0102] 2.05 Content (Token T) 'second'");
        Server.Expect("RST [0x0102]");

        call.Answer().PayloadText.Should().Be("first");
    }
}
