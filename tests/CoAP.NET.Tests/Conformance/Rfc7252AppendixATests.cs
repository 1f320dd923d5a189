using CoAP.Testing;

namespace CoAP.Tests.Conformance;

/// <summary>The examples of RFC 7252, Appendix A, byte for byte, with our server in them.</summary>
public sealed class Rfc7252AppendixATests : IDisposable
{
    private readonly Wire _wire = new(new ManualTime());
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
        _client.Last.Should().HaveCount(11);
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
        _client.Last.Should().HaveCount(12);
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
        _client.Last.Should().Equal(_wire.Sent(Direction.ToClient)[0].Bytes);
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
