using System.Text;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Echo values as our client sends them back (RFC 9175, section 2.3).</summary>
public sealed class Rfc9175ClientTests : ClientUnderTest
{
    // Client   Server
    //    |       |
    //    +------>|        Code: 0.03 (PUT)
    //    |  PUT  |       Token: 0x41
    //    |       |    Uri-Path: lock
    //    |       |     Payload: 0 (Unlock)
    //    |       |
    //    |<------+        Code: 4.01 (Unauthorized)
    //    |  4.01 |       Token: 0x41
    //    |       |        Echo: 0x05 (e0 = 5, number of total lock
    //    |       |                            operations performed)
    //    |       |
    //    +------>|        Code: 0.03 (PUT)
    //    |  PUT  |       Token: 0x42
    //    |       |    Uri-Path: lock
    //    |       |        Echo: 0x05
    //    |       |     Payload: 0 (Unlock)
    //    |       |
    //    |<------+        Code: 2.04 (Changed)
    //    |  2.04 |       Token: 0x42
    //    |       |        Echo: 0x06 (e2 = 6, to allow later locking
    //    |       |                            without more round-trips)
    [Fact, Trait("RFC", "9175 2.3"), Trait("RFC", "9175 2.2.1")]
    public void A_request_is_sent_again_with_the_echo_and_the_next_one_has_the_latest()
    {
        var call = Put("0");
        Server.Expect("CON [X] PUT /lock (Token T) '0'");
        Server.Send("ACK [X] 4.01 Unauthorized (Token T) {Echo: 0x05}");
        Server.Expect("CON [Y] PUT /lock (Token U) {Echo: 0x05} '0'");
        Server.Send("ACK [Y] 2.04 Changed (Token U) {Echo: 0x06}");
        Server.ExpectNothing(seconds: 59);
        call.Answer().Code.Should().Be(ResponseCode.Changed);

        _ = Put("1");

        Server.Expect("CON [Z] PUT /lock (Token V) {Echo: 0x06} '1'");
    }

    [Fact, Trait("RFC", "9175 2.3")]
    public void A_second_refusal_is_the_answer()
    {
        var call = Put("0");
        Server.Expect("CON [X] PUT /lock (Token T) '0'");
        Server.Send("ACK [X] 4.01 Unauthorized (Token T) {Echo: 0x05}");
        Server.Expect("CON [Y] PUT /lock (Token U) {Echo: 0x05} '0'");
        Server.Send("ACK [Y] 4.01 Unauthorized (Token U) {Echo: 0x06}");

        Server.ExpectNothing(seconds: 600);

        call.Answer().Code.Should().Be(ResponseCode.Unauthorized);
    }

    [Theory, Trait("RFC", "9175 2.3")]
    [InlineData("4.01 Unauthorized", ""), InlineData("4.03 Forbidden", "{Echo: 0x05}"), InlineData("4.01 Unauthorized", "{252: 0x}")]
    public void Any_other_response_is_the_answer(string code, string options)
    {
        var call = Put("0");
        Server.Expect("CON [X] PUT /lock (Token T) '0'");

        Server.Send($"ACK [X] {code} (Token T) {options}".TrimEnd());
        Server.ExpectNothing(seconds: 600);

        call.Answer().IsSuccess.Should().BeFalse();
    }

    [Fact, Trait("RFC", "9175 2.3"), Trait("RFC", "9175 6")]
    public void An_echo_goes_to_nobody_but_the_peer_that_sent_it()
    {
        using var other = ScriptedPeer.Server(Wire, "other");
        _ = Put("0");
        Server.Expect("CON [X] PUT /lock (Token T) '0'");
        Server.Send("ACK [X] 2.04 Changed (Token T) {Echo: 0x05}");
        Server.ExpectNothing(seconds: 1);

        _ = Client.Send(new CoapRequest(RequestCode.Get, "/lock"), other.Self);

        other.Expect("CON [Y] GET /lock (Token U)");
    }

    [Fact, Trait("RFC", "9175 2.3")]
    public void An_echo_is_forgotten_after_a_minute()
    {
        _ = Put("0");
        Server.Expect("CON [X] PUT /lock (Token T) '0'");
        Server.Send("ACK [X] 2.04 Changed (Token T) {Echo: 0x05}");
        Server.ExpectNothing(seconds: 60);

        _ = Put("1");

        Server.Expect("CON [Y] PUT /lock (Token U) '1'");
    }

    [Fact, Trait("RFC", "9175 2.3")]
    public void A_request_with_its_own_Echo_is_not_repeated()
    {
        var call = Client.Send(new CoapRequest(RequestCode.Get, "/lock") { Options = [new Echo(new byte[] { 7 })] });
        Server.Expect("CON [X] GET /lock (Token T) {Echo: 0x07}");

        Server.Send("ACK [X] 4.01 Unauthorized (Token T) {Echo: 0x05}");
        Server.ExpectNothing(seconds: 600);

        call.Answer().Code.Should().Be(ResponseCode.Unauthorized);
    }

    [Fact, Trait("RFC", "9175 2.3")]
    public void A_repeated_request_that_nobody_answers_times_out_and_leaves_nothing()
    {
        var call = Put("0");
        Server.Expect("CON [X] PUT /lock (Token T) '0'");
        Server.Send("ACK [X] 4.01 Unauthorized (Token T) {Echo: 0x05}");
        Server.TakeAll(seconds: 600);

        Server.Received.Should().HaveCount(5);
        call.Invoking(one => one.Answer()).Should().Throw<CoapTimeoutException>();
        Client.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    [Fact, Trait("RFC", "9175 2.3")]
    public void The_answer_to_the_repeated_request_may_come_separately()
    {
        var call = Put("0");
        Server.Expect("CON [X] PUT /lock (Token T) '0'");
        Server.Send("ACK [X] 4.01 Unauthorized (Token T) {Echo: 0x05}");
        Server.Expect("CON [Y] PUT /lock (Token U) {Echo: 0x05} '0'");

        Server.Send("ACK [Y]");
        Server.Send("CON [0x7a11] 2.04 Changed (Token U)");

        Server.Expect("ACK [0x7a11]");
        call.Answer().Code.Should().Be(ResponseCode.Changed);
    }

    private Task<CoapResponse> Put(string payload) =>
        Client.Send(new CoapRequest(RequestCode.Put, "/lock") { Payload = Encoding.UTF8.GetBytes(payload) });
}
