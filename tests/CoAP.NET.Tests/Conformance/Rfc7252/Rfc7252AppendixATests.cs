using System.Globalization;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>The examples of RFC 7252, Appendix A, byte for byte, with our server in them.</summary>
public sealed class Rfc7252AppendixATests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _client;
    private readonly LaneEnd _server;

    public Rfc7252AppendixATests()
    {
        _client = ScriptedPeer.Client(_wire);
        _server = LaneEnd.Server(_wire, Map);
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    // Client  Server
    //    +----->|     Header: GET (T=CON, Code=0.01, MID=0x7d34)
    //    | GET  |   Uri-Path: "temperature"
    //    |<-----+     Header: 2.05 Content (T=ACK, Code=2.05, MID=0x7d34)
    //    | 2.05 |    Payload: "22.3 C"
    [Fact, Trait("RFC", "7252 A")]
    public void Figure_16_Confirmable_request_and_piggybacked_response()
    {
        _client.SendBytes("""
            40 01 7d34                          # version 1, CON, no token, GET, MID
            bb 74656d7065726174757265           # Uri-Path: "temperature"
            """);

        _client.ExpectBytes("""
            60 45 7d34                          # version 1, ACK, no token, 2.05 = 69, MID
            ff 32322e332043                     # "22.3 C"
            """);
        _wire.Sent(Direction.ToServer)[0].Bytes.Should().HaveCount(16);
        _client.LastBytes.Should().HaveCount(11);
    }

    // As figure 16, with Token: 0x20
    [Fact, Trait("RFC", "7252 A")]
    public void Figure_17_The_same_with_a_token()
    {
        _client.SendBytes("""
            41 01 7d35                          # version 1, CON, a token of 1 byte, GET, MID
            20                                  # Token
            bb 74656d7065726174757265           # Uri-Path: "temperature"
            """);

        _client.ExpectBytes("""
            61 45 7d35                          # version 1, ACK, a token of 1 byte, 2.05 = 69, MID
            20                                  # Token
            ff 32322e332043                     # "22.3 C"
            """);
        _client.LastBytes.Should().HaveCount(12);
    }

    // Client  Server
    //    +----X |     Header: GET (T=CON, Code=0.01, MID=0x7d36), Token: 0x31
    // TIMEOUT   |
    //    +----->|     the same
    //    |<-----+     Header: 2.05 Content (T=ACK, Code=2.05, MID=0x7d36), Token: 0x31
    [Fact, Trait("RFC", "7252 A")]
    public void Figure_18_The_request_is_lost_and_sent_again()
    {
        _wire.Drop(Direction.ToServer, nth: 1);

        _client.Send("CON [0x7d36] GET /temperature (Token 0x31)");
        _client.ExpectNothing(seconds: 2);
        _client.Send("CON [0x7d36] GET /temperature (Token 0x31)");

        _client.Expect("ACK [0x7d36] 2.05 Content (Token 0x31) '22.3 C'", at: 2);
    }

    // Client  Server
    //    +----->|     Header: GET (T=CON, Code=0.01, MID=0x7d37), Token: 0x42
    //    | X----+     Header: 2.05 Content (T=ACK, Code=2.05, MID=0x7d37), Token: 0x42
    // TIMEOUT   |
    //    +----->|     the same
    //    |<-----+     the same
    [Fact, Trait("RFC", "7252 A"), Trait("RFC", "7252 4.5")]
    public void Figure_19_The_response_is_lost_and_sent_again()
    {
        _wire.Drop(Direction.ToClient, nth: 1);

        _client.Send("CON [0x7d37] GET /temperature (Token 0x42)");
        _client.ExpectNothing(seconds: 2);
        _client.Send("CON [0x7d37] GET /temperature (Token 0x42)");

        _client.Expect("ACK [0x7d37] 2.05 Content (Token 0x42) '22.3 C'", at: 2);
        _client.LastBytes.Should().Equal(_wire.Sent(Direction.ToClient)[0].Bytes);
    }

    // Client  Server
    //    +----->|     Header: GET (T=CON, Code=0.01, MID=0x7d38), Token: 0x53
    //    |<- - -+     Header: (T=ACK, Code=0.00, MID=0x7d38)
    //    |<-----+     Header: 2.05 Content (T=CON, Code=2.05, MID=0xad7b), Token: 0x53
    //    +- - ->|     Header: (T=ACK, Code=0.00, MID=0xad7b)
    [Fact, Trait("RFC", "7252 A"), Trait("RFC", "7252 5.2.2")]
    public void Figure_20_Separate_response()
    {
        _client.Send("CON [0x7d38] GET /thermometer (Token 0x53)");

        _client.ExpectBytes("60 00 7d38             # version 1, ACK, no token, Empty, MID");
        _client.Expect("CON [Y] 2.05 Content (Token 0x53) '22.3 C'", at: 5);
        _client.Send("ACK [Y]");
        _client.ExpectNothing(seconds: 600);
    }

    // Client  Server
    //    +----->|     Header: GET (T=NON, Code=0.01, MID=0x7d40), Token: 0x75
    //    |<-----+     Header: 2.05 Content (T=NON, Code=2.05, MID=0xad7d), Token: 0x75
    [Fact, Trait("RFC", "7252 A"), Trait("RFC", "7252 5.2.3")]
    public void Figure_22_Non_confirmable_request_and_response()
    {
        _client.Send("NON [0x7d40] GET /temperature (Token 0x75)");

        _client.Expect("NON [Y] 2.05 Content (Token 0x75) '22.3 C'", at: 0);
        _client.ExpectNothing(seconds: 600);
    }

    private void Map(ResourceMap resources)
    {
        var content = new CoapResponse(ResponseCode.Content) { Payload = "22.3 C"u8.ToArray() };
        resources.At("temperature").Get(_ => content, HandlerMode.Inline);
        resources.At("thermometer").Get(async (_, _) =>
        {
            await LateAnswer.After(_wire.Time, TimeSpan.FromSeconds(5));
            return content;
        });
    }
}

/// <summary>The examples of RFC 7252, Appendix A, with our client in them: all bytes but the numbers that it chooses by itself.</summary>
public sealed class Rfc7252AppendixAClientTests : ClientUnderTest
{
    // The diagrams stand above.
    [Fact, Trait("RFC", "7252 A")]
    public void Figures_16_and_17_Confirmable_request_and_piggybacked_response()
    {
        var call = Client.Get("/temperature");

        Server.Expect("CON [X] GET /temperature (Token T)");
        Hex.Text(Server.LastBytes.AsSpan(0, 2)).Should().Be("4801", "version 1, CON, a token of 8 bytes, GET");
        Hex.Text(Server.LastBytes.AsSpan(12)).Should().Be("bb74656d7065726174757265", "Uri-Path: temperature");
        Server.Send([0x68, 0x45, .. Server.LastBytes.AsSpan(2, 10), 0xFF, .. "22.3 C"u8]);
        Server.ExpectNothing(seconds: 10);

        call.Answer().Should().BeEquivalentTo(new { Code = ResponseCode.Content, PayloadText = "22.3 C" });
    }

    [Theory, Trait("RFC", "7252 A")]
    [InlineData(Direction.ToServer), InlineData(Direction.ToClient)]
    public void Figures_18_and_19_What_is_lost_is_made_good_after_ACK_TIMEOUT(Direction lossy)
    {
        var wire = new Wire(new ManualClock()) { Latency = TimeSpan.FromMilliseconds(50) };
        using var client = LaneEnd.Client(wire, Settings);
        using var server = LaneEnd.Server(wire, map => map.At("temperature").Get(_ => Response.Content("22.3 C"), HandlerMode.Inline));
        wire.Drop(lossy, nth: 1);

        var call = client.Get("/temperature");
        wire.RunUntilIdle();

        call.Answer().RoundTripTime.Should().Be(TimeSpan.FromSeconds(2.1), "ACK_TIMEOUT and one round trip");
        wire.Sent(Direction.ToServer).Select(sent => sent.Time.TotalSeconds.ToString(CultureInfo.InvariantCulture)).Should().Equal("0", "2");
        wire.Sent(Direction.ToServer)[1].Bytes.Should().Equal(wire.Sent(Direction.ToServer)[0].Bytes);
    }

    // "Note that the Acknowledgement message and the Confirmable response do not necessarily arrive in the same order as they were sent."
    [Theory, Trait("RFC", "7252 A"), Trait("RFC", "7252 5.2.2")]
    [InlineData("ACK [X]", "CON [0xad7b] 2.05 Content (Token T) '22.3 C'"), InlineData("CON [0xad7b] 2.05 Content (Token T) '22.3 C'", "ACK [X]")]
    public void Figure_20_Acknowledgement_and_separate_response_in_either_order(string first, string second)
    {
        var call = Client.Get("/temperature");

        Server.Expect("CON [X] GET /temperature (Token T)");
        Server.Send(first);
        Server.Send(second);
        Server.Expect("ACK [0xad7b]", at: 0);

        Server.ExpectNothing(seconds: 600);
        call.Answer().PayloadText.Should().Be("22.3 C");
    }

    // Client  Server
    //    +----->|     Header: GET (T=CON, Code=0.01, MID=0x7d39), Token: 0x64
    //  CRASH    |
    //    |<- - -+     Header: (T=ACK, Code=0.00, MID=0x7d39)
    //    |<-----+     Header: 2.05 Content (T=CON, Code=2.05, MID=0xad7c), Token: 0x64
    //    +- - ->|     Header: (T=RST, Code=0.00, MID=0xad7c)
    [Fact, Trait("RFC", "7252 A"), Trait("RFC", "7252 5.3.2")]
    public void Figure_21_A_separate_response_that_comes_unexpected_is_rejected()
    {
        Server.Send("ACK [0x7d39]");
        Server.ExpectNothing(seconds: 1);
        Server.Send("CON [0xad7c] 2.05 Content (Token 0x64) '22.3 C'");

        Server.ExpectBytes("70 00 ad7c              # version 1, RST, no token, Empty, MID");
    }

    [Fact, Trait("RFC", "7252 A"), Trait("RFC", "7252 5.2.3")]
    public void Figure_22_A_lost_non_confirmable_request_is_lost_without_notice()
    {
        var call = Client.Get("/temperature", confirmable: false);

        Server.Expect("NON [X] GET /temperature (Token T)");
        Server.ExpectNothing(seconds: 600);

        call.Invoking(one => one.Answer()).Should().Throw<CoapTimeoutException>().Which.Attempts.Should().Be(1);
    }
}
