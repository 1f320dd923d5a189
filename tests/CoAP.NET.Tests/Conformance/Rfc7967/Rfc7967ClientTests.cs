using CoAP.Exchanges;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Requests that want no responses (RFC 7967, section 2), as our client sends them.</summary>
public sealed class Rfc7967ClientTests : ClientUnderTest
{
    [Fact, Trait("RFC", "7967 2.1")]
    public async Task A_non_confirmable_request_is_done_as_soon_as_it_is_sent()
    {
        var request = new CoapRequest(RequestCode.Put, "/vehicle") { IsConfirmable = false };
        var call = Client.ChannelTo(Wire.Server).SendAndForgetAsync(request);

        Server.Expect("NON [X] PUT /vehicle (Token T) {No-Response: 26}", at: 0);

        (await call).Should().Be(new Delivery(IsAcknowledged: false, Response: null));
        Client.Leftovers.Should().StartWith("0 exchanges, 0 unsettled messages, 0 pending requests");
    }

    // Client              Server
    //    | CON [X] PUT        |  No-Response: 26
    //    +------------------->|
    //    | CON [X] PUT        |  after 2 s
    //    +------------------->|
    //    | ACK [X]            |
    //    |<-------------------+
    [Fact, Trait("RFC", "7967 2.1"), Trait("RFC", "7252 4.2")]
    public void A_confirmable_request_is_done_when_it_is_acknowledged()
    {
        var call = Forget(new CoapRequest(RequestCode.Put, "/vehicle"));
        Server.Expect("CON [X] PUT /vehicle (Token T) {No-Response: 26}");
        Server.Expect("CON [X] PUT /vehicle (Token T) {No-Response: 26}", at: 2);
        call.IsCompleted.Should().BeFalse();

        Server.Send("ACK [X]");
        Server.ExpectNothing(seconds: 600);

        Done(call).Should().Be(new Delivery(IsAcknowledged: true, Response: null));
    }

    [Fact, Trait("RFC", "7252 4.2")]
    public void A_confirmable_request_that_nobody_acknowledges_fails()
    {
        var call = Forget(new CoapRequest(RequestCode.Put, "/vehicle"));

        Server.TakeAll(seconds: 600);

        Server.Received.Should().HaveCount(5);
        call.Invoking(Done).Should().Throw<CoapTimeoutException>().Which.IsAcknowledged.Should().BeFalse();
    }

    [Fact, Trait("RFC", "7252 4.2")]
    public void A_Reset_is_reported_as_a_request_that_the_server_did_not_understand()
    {
        var call = Forget(new CoapRequest(RequestCode.Put, "/vehicle"));
        Server.Expect("CON [X] PUT /vehicle (Token T) {No-Response: 26}");

        Server.Send("RST [X]");
        Server.ExpectNothing(seconds: 600);

        call.Invoking(Done).Should().Throw<CoapResetException>();
    }

    // The option is elective: a server need not know it.
    [Fact, Trait("RFC", "7967 2")]
    public void A_response_in_the_acknowledgement_is_returned()
    {
        var call = Forget(new CoapRequest(RequestCode.Put, "/vehicle"));
        Server.Expect("CON [X] PUT /vehicle (Token T) {No-Response: 26}");

        Server.Send("ACK [X] 4.03 Forbidden (Token T)");
        Server.ExpectNothing(seconds: 600);

        Done(call).IsAcknowledged.Should().BeTrue();
        Done(call).Response!.Code.Should().Be(ResponseCode.Forbidden);
    }

    [Fact, Trait("RFC", "7967 2"), Trait("RFC", "7252 5.3.2")]
    public void A_response_that_comes_later_is_rejected()
    {
        var call = Forget(new CoapRequest(RequestCode.Put, "/vehicle"));
        Server.Expect("CON [X] PUT /vehicle (Token T) {No-Response: 26}");
        Server.Send("ACK [X]");
        Server.ExpectNothing(seconds: 1);

        Server.Send("CON [0x0101] 2.04 Changed (Token T)");
        Server.Expect("RST [0x0101]");

        Done(call).Response.Should().BeNull();
    }

    [Fact, Trait("RFC", "7967 2.1")]
    public void Forgetting_and_waiting_for_errors_contradict_each_other()
    {
        var request = new CoapRequest(RequestCode.Put, "/vehicle") { Options = [new NoResponse(2)] };

        Action act = () => Forget(request);

        act.Should().Throw<ArgumentException>().WithMessage("No-Response 2 *");
    }

    [Fact, Trait("RFC", "7967 2.1")]
    public void A_request_that_wants_some_classes_waits_and_says_why_nothing_came()
    {
        var call = Client.Send(new CoapRequest(RequestCode.Put, "/vehicle") { IsConfirmable = false, Options = [new NoResponse(18)] });

        Server.Expect("NON [X] PUT /vehicle (Token T) {No-Response: 18}");
        Server.ExpectNothing(seconds: 600);

        call.Invoking(one => one.Answer()).Should().Throw<CoapTimeoutException>().WithMessage("* class 2, 5 are not wanted*");
    }

    [Fact, Trait("RFC", "9177 4.1")]
    public void A_forgotten_request_does_not_probe_for_robust_transfers()
    {
        using var client = LaneEnd.Client(Wire, new() { ClientTransfers = new() { RobustMode = RobustMode.WhenSupported } }, "robust client");

        var call = client.ChannelTo(Wire.Server)
            .Begin(new CoapRequest(RequestCode.Get, "/vehicle") { IsConfirmable = false }, parked: false, default, forgets: true).Caller.Task;

        Server.Expect("NON [X] GET /vehicle (Token T) {No-Response: 26}");
        call.IsFaulted.Should().BeFalse();
    }

    private static Delivery Done(Task<CoapResponse> call) => NoResponseOutcome.ToDelivery(call.Answer(), acknowledges: true);

    private Task<CoapResponse> Forget(CoapRequest request) =>
        Client.ChannelTo(Wire.Server).Begin(request, parked: false, default, forgets: true).Caller.Task;
}
