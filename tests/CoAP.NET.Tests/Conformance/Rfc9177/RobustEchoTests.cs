using CoAP.Discovery;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance.Rfc9177;

/// <summary>Our client proves its address in a robust transfer (RFC 9175, section 2.3).</summary>
public sealed class RobustEchoTests : RobustClientUnderTest
{
    // Client      Server
    //   +--------->| NON PUT /a QB1:0/1/16, QB1:1/0/16
    //   |<---------+ NON 4.01 Echo 'E', to each
    //   +--------->| NON PUT /a Echo 'E' QB1:0/1/16, QB1:1/0/16
    //   |<---------+ NON 2.04
    [Fact, Trait("RFC", "9175 2.3")]
    public void A_body_is_sent_again_with_the_Echo_value()
    {
        var call = Put();
        LearnSupport();
        Blocks("B", "");
        Server.Send("NON [0x7001] 4.01 Unauthorized (Token B0) {Max-Age: 0, 252: 0x45}");
        Server.Send("NON [0x7002] 4.01 Unauthorized (Token B1) {Max-Age: 0, 252: 0x45}");
        Blocks("C", "Echo: 0x45, ");
        Server.TakeAll(seconds: 1);
        Server.Send("NON [0x7003] 2.04 Changed (Token C1)");
        Server.TakeAll(seconds: 1);

        call.Answer().Code.Should().Be(ResponseCode.Changed);
    }

    [Fact, Trait("RFC", "9175 2.3")]
    public void A_second_4_01_is_the_response()
    {
        var call = Put();
        LearnSupport();
        Blocks("B", "");
        Server.Send("NON [0x7001] 4.01 Unauthorized (Token B0) {252: 0x45}");
        Blocks("C", "Echo: 0x45, ");
        Server.Send("NON [0x7002] 4.01 Unauthorized (Token C0) {252: 0x46}");
        Server.TakeAll(seconds: 1);

        call.Answer().Code.Should().Be(ResponseCode.Unauthorized);
    }

    [Theory, Trait("RFC", "9175 2.3"), Trait("RFC", "9175 2.4")]
    [InlineData(3000), InlineData(30_000)]
    public void Our_server_takes_a_body_from_an_address_that_it_has_not_verified(int length)
    {
        var wire = new Wire(new ManualClock());
        var bodies = new List<int>();
        using var client = LaneEnd.Client(wire, new CoapClientSettings { ClientTransfers = new() { RobustMode = RobustMode.WhenSupported } });
        using var server = LaneEnd.Server(
            wire,
            map =>
            {
                WellKnownCore.MapOn(map);
                map.At("body").RequiresFreshness(TimeSpan.FromMinutes(1)).Put(request =>
                {
                    bodies.Add(request.Payload.Length);
                    return Response.Changed;
                }, HandlerMode.Inline);
            },
            new CoapServerSettings { Amplification = new() { ExemptsLoopback = false }, MaxInlinePayload = int.MaxValue });

        for (var i = 0; i < 2; i++)
        {
            var call = client.Send(new CoapRequest(RequestCode.Put, "/body") { Payload = new byte[length] });
            wire.RunUntil(() => call.IsCompleted).Should().BeTrue();
            call.Answer().Code.Should().Be(ResponseCode.Changed);
            wire.RunFor(TimeSpan.FromMinutes(6));
        }

        bodies.Should().Equal(length, length);
    }

    // 17 bytes at 1 byte per second.
    [Fact, Trait("RFC", "9177 3.2"), Trait("RFC", "9177 7.2"), Trait("RFC", "7252 4.7")]
    public void A_request_that_nobody_answers_delays_the_next_as_PROBING_RATE_says()
    {
        var first = Client.Get("/a");
        Server.Expect("CON [a] GET /a (Token A) {31: 0x}");
        Server.Send("ACK [a] 2.05 Content (Token A) {ETag: 0x01, 28: 0x02, 31: 0x00} 'ab'");
        Server.TakeAll(seconds: 1);
        first.Answer().PayloadText.Should().Be("ab");
        var before = Server.Received.Count;

        for (var i = 0; i < 30; i++)
        {
            _ = Client.Send(new CoapRequest(RequestCode.Get, "/a") { ResponseTimeout = TimeSpan.FromSeconds(2) });
            Server.TakeAll(seconds: 2.1);
        }

        Server.Received.Skip(before).Sum(static bytes => bytes.Length).Should().BeInRange(30, 64 + 17);
    }

    [Fact, Trait("RFC", "9177 4.1")]
    public void A_response_with_Block2_and_Q_Block2_is_rejected()
    {
        var call = Client.Get("/a");
        Server.Expect("CON [a] GET /a (Token A) {31: 0x}");
        Server.Send("ACK [a] 2.05 Content (Token A) {ETag: 0x01, Block2: 0/1/16, 28: 0x12, 31: 0x08} '0123456789abcdef'");

        Server.Expect("CON [b] GET /a (Token B)");
        Server.Send("ACK [b] 2.05 Content (Token B) 'plain'");
        Server.TakeAll(seconds: 1);

        call.Answer().PayloadText.Should().Be("plain");
    }

    private void LearnSupport()
    {
        Server.Expect("CON [a] GET /.well-known/core (Token A) {31: 0x}");
        Server.Send("ACK [a] 2.05 Content (Token A) {ETag: 0x01, 28: 0x28, 31: 0x08} '0123456789abcdef'");
    }

    private void Blocks(string name, string echo)
    {
        Server.Expect($"NON [{name}] PUT /a (Token {name}0) {{19: 0x08, Size1: 18, {echo}Request-Tag: {name}T}} '0123456789abcdef'");
        Server.Expect($"NON [{name}2] PUT /a (Token {name}1) {{19: 0x10, Size1: 18, {echo}Request-Tag: {name}T}} 'gh'");
    }
}
