using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>The message flows of RFC 7641, appendix A, with our client.</summary>
public sealed class ClientAppendixATests : ObserverUnderTest
{
    //         Observed   CLIENT  SERVER     Actual
    //     t   State         |      |         State
    //     2    unknown      |      |     18.5 Cel
    //     3                 +----->|                  GET 0x41011633, Token 0x4a, /temperature, Observe: 0 (register)
    //     9   ____________  |<-----+                  2.05 0x61451633, Token 0x4a, Observe: 9, Max-Age: 15, "18.5 Cel"
    //    11    18.5 Cel     |      |
    //    16   ____________  |<-----+  ____________    2.05 0x51457b50, Token 0x4a, Observe: 16, Max-Age: 15, "19.2 Cel"
    //    18    19.2 Cel     |      |     19.2 Cel
    [Fact, Trait("RFC", "7641 A.1"), Trait("RFC", "7641 1.2")]
    public void A_client_registers_and_receives_one_notification_of_the_current_state_and_one_of_a_new_state()
    {
        var observation = Observe("/temperature");
        observation.State.Should().Be(ObservationState.Registering);

        Server.Expect("CON [X] GET /temperature (Token T) {Observe: 0}", at: 0);
        Server.Send("ACK [X] 2.05 Content (Token T) {Observe: 9, Max-Age: 15} '18.5 Cel'");
        Server.ExpectNothing(seconds: 7);
        Server.Send("NON [0x7b50] 2.05 Content (Token T) {Observe: 16, Max-Age: 15} '19.2 Cel'");
        Server.ExpectNothing(seconds: 1);

        Next(observation).Should().Be("18.5 Cel");
        Take(observation).Should().BeEquivalentTo(new { Sequence = 16u, Elapsed = TimeSpan.FromSeconds(7), Skipped = 0L });
        observation.State.Should().Be(ObservationState.Active);
    }

    //         Observed   CLIENT  SERVER     Actual
    //    21                 |  X---+                  2.05 0x51457b51, Observe: 20: lost on the way
    //    34    19.2 Cel     |      |     19.7 Cel     Max-Age is over: the state is stale
    //    37                 +----->|                  GET, Token as before, /temperature, Observe: 0 (register)
    //    42   ____________  |<-----+                  2.05, Observe: 26, Max-Age: 15, "19.7 Cel"
    //    44    19.7 Cel     |      |
    [Fact, Trait("RFC", "7641 A.1"), Trait("RFC", "7641 3.3.1")]
    public void The_client_registers_again_after_Max_Age_ends()
    {
        var observation = ObserveTemperature();

        Wire.Drop(Direction.ToClient, nth: 2);
        Server.Send("NON [0x7b51] 2.05 Content (Token T) {Observe: 20, Max-Age: 15} '19.7 Cel'");
        Server.ExpectNothing(seconds: 15);
        observation.State.Should().Be(ObservationState.Stale);
        Server.Expect("CON [Y] GET /temperature (Token T) {Observe: 0}", at: 25);
        observation.State.Should().Be(ObservationState.ReRegistering);
        Server.Send("ACK [Y] 2.05 Content (Token T) {Observe: 26, Max-Age: 15} '19.7 Cel'");
        Server.ExpectNothing(seconds: 1);

        Next(observation).Should().Be("19.7 Cel");
        observation.State.Should().Be(ObservationState.Active);
    }

    //    CLIENT  SERVER
    //      +----->|      GET, Token, Observe: 0 (register), ETag: 0x78797a7a79
    //      |<-----+      2.05, Observe: 9, ETag: 0x78797a7a79, Max-Age: 15
    //      |<-----+      2.03, Observe: 12, ETag: 0x78797a7a79, Max-Age: 15
    [Fact, Trait("RFC", "7641 A.1"), Trait("RFC", "7641 3.3.2")]
    public void The_server_may_select_a_stored_representation_by_its_ETag()
    {
        var observation = Observe(new CoapRequest(RequestCode.Get, "/temperature") { Options = [new Options.ETag(Hex.Bytes("78797a7a79"))] });

        Server.Expect("CON [X] GET /temperature (Token T) {ETag: 0x78797a7a79, Observe: 0}");
        Server.Send("ACK [X] 2.03 Valid (Token T) {ETag: 0x78797a7a79, Observe: 9, Max-Age: 15}");
        Server.ExpectNothing(seconds: 5);
        Server.Send("NON [0x7b50] 2.03 Valid (Token T) {ETag: 0x78797a7a79, Observe: 12, Max-Age: 15}");
        Server.ExpectNothing(seconds: 14);

        Take(observation)!.Response.Code.Should().Be(ResponseCode.Valid);
        Take(observation)!.Response.Code.Should().Be(ResponseCode.Valid);
        observation.State.Should().Be(ObservationState.Active, "the second one made it fresh for 15 s more");
    }

    //    CLIENT  PROXY   SERVER
    //      +----->|       |     GET, Token, Observe: 0 (register), Proxy-Uri: coap://sensor.example/status
    //      |<- - -+       |     empty acknowledgement: the proxy has to ask first
    //      |      +------>|
    //      |      |<------+
    //      |<-----+       |     2.05, Observe: 17346, Max-Age: 60, "ready"
    //      |      |<------+
    //      |<-----+       |     2.05, Observe: 17436, Max-Age: 60, "busy"
    [Fact, Trait("RFC", "7641 A.2")]
    public void A_client_observes_a_resource_through_a_proxy()
    {
        var observation = Observe(new CoapRequest(RequestCode.Get) { Options = [new Options.ProxyUri("coap://sensor.example/status")] });

        Server.Expect("CON [X] GET (Token T) {Observe: 0, Proxy-Uri: coap://sensor.example/status}");
        Server.Send("ACK [X]");
        Server.ExpectNothing(seconds: 3);
        Server.Send("CON [0x5fb2] 2.05 Content (Token T) {Observe: 17346, Max-Age: 60} 'ready'");
        Server.Expect("ACK [0x5fb2]", at: 3);
        Server.Send("NON [0x5fb3] 2.05 Content (Token T) {Observe: 17436, Max-Age: 60} 'busy'");
        Server.ExpectNothing(seconds: 1);

        Next(observation).Should().Be("ready");
        Next(observation).Should().Be("busy");
    }
}
