namespace CoAP.Tests.Conformance;

/// <summary>Who enters and who leaves the list of observers (RFC 7641, sections 3.6 and 4.1).</summary>
public sealed class ServerSection4_1Tests : ObservedServer
{
    private const string Nothing = "0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines";

    [Theory, Trait("RFC", "7641 4.1")]
    [InlineData("/plain", "2.05 Content (Token 0x4a) {Max-Age: 15} '1'")]
    [InlineData("/nowhere", "4.04 Not Found (Token 0x4a)")]
    public void A_resource_that_is_not_observable_answers_without_Observe(string path, string answer)
    {
        Client.Send($"CON [0x1633] GET {path} (Token 0x4a) {{Observe: 0}}");

        Client.Expect($"ACK [0x1633] {answer}");
        Server.Leftovers.Should().Be(Nothing);
    }

    [Fact, Trait("RFC", "7641 4.1")]
    public void An_error_does_not_register_and_ends_the_observation_with_the_same_token()
    {
        Register();
        State = new CoapResponse(ResponseCode.ServiceUnavailable);

        Client.Send("CON [0x1634] GET /temperature (Token 0x4a) {Observe: 0}");

        Client.Expect("ACK [0x1634] 5.03 Service Unavailable (Token 0x4a)");
        Temperature.ObserverCount.Should().Be(0);
        Server.Leftovers.Should().Be(Nothing);
    }

    // No handler sees these requests.
    [Theory, Trait("RFC", "7641 4.1")]
    [InlineData("{Observe: 0, 2049: 0x01}", 0x82)]
    [InlineData("{Observe: 1, 2049: 0x01}", 0x82)]
    [InlineData("{Observe: 0, 2049: 0x01, 258: 0x08}", 0)]    // No-Response suppresses the 4.02
    public void A_refused_request_ends_the_observation_with_the_same_token(string options, int answer)
    {
        Register();

        Client.Send($"CON [0x1634] GET /temperature (Token 0x4a) {options}");
        Client.TakeAll(seconds: 0);

        WireMessage.Read(Client.Received.Single()).Code.Should().Be(answer);
        Temperature.ObserverCount.Should().Be(0);
        Server.Leftovers.Should().Be(Nothing);
    }

    // Client              Server
    //    | GET, T 0x4a, Obs 0 |
    //    +------------------->|
    //    | GET, T 0x4a, Obs 1 |
    //    +------------------->|
    //    | 2.05 without Obs   |
    //    |<-------------------+
    [Fact, Trait("RFC", "7641 3.6"), Trait("RFC", "7641 4.1")]
    public void Observe_1_takes_the_client_out_of_the_list_and_is_answered_like_any_GET()
    {
        Register();

        Client.Send("CON [0x1634] GET /temperature (Token 0x4a) {Observe: 1}");
        Client.Expect("ACK [0x1634] 2.05 Content (Token 0x4a) {Max-Age: 15} '18.5 Cel'");
        Change("20 Cel");

        Client.ExpectNothing(seconds: 600);
        Server.Leftovers.Should().Be(Nothing);
    }

    [Fact, Trait("RFC", "7641 2")]
    public void Observe_is_ignored_in_requests_that_do_not_define_it()
    {
        Register();

        Client.Send("CON [0x1634] PUT /temperature (Token 0x4a) {Observe: 1}");
        Client.Expect("ACK [0x1634] 4.05 Method Not Allowed (Token 0x4a)");
        Client.Send("CON [0x1635] POST /temperature (Token 0x4b) {Observe: 0}");
        Client.Expect("ACK [0x1635] 4.05 Method Not Allowed (Token 0x4b)");

        Temperature.ObserverCount.Should().Be(1);
    }

    [Fact, Trait("RFC", "7641 4.1")]
    public void Observe_1_with_another_token_or_from_another_client_takes_nobody_out()
    {
        Register();
        using var stranger = ScriptedPeer.Client(Wire, "stranger");

        Client.Send("CON [0x1634] GET /temperature (Token 0x4b) {Observe: 1}");
        Client.Expect("ACK [0x1634] 2.05 Content (Token 0x4b) {Max-Age: 15} '18.5 Cel'");
        stranger.Send("CON [0x1635] GET /temperature (Token 0x4a) {Observe: 1}");
        stranger.Expect("ACK [0x1635] 2.05 Content (Token 0x4a) {Max-Age: 15} '18.5 Cel'");

        Change("20 Cel");
        Client.Expect("CON [X] 2.05 Content (Token 0x4a) {Observe: 2, Max-Age: 15} '20 Cel'");
    }

    [Fact, Trait("RFC", "7641 4.1"), Trait("RFC", "7641 4.4")]
    public void The_same_token_again_replaces_the_entry_and_its_numbers_go_on()
    {
        Register();

        Client.Send("CON [0x1634] GET /temperature (Token 0x4a) {Observe: 0}");
        Client.Expect("ACK [0x1634] 2.05 Content (Token 0x4a) {Observe: 2, Max-Age: 15} '18.5 Cel'");
        Change("20 Cel");

        Client.Expect("CON [X] 2.05 Content (Token 0x4a) {Observe: 3, Max-Age: 15} '20 Cel'");
        Client.Send("ACK [X]");
        Client.ExpectNothing(seconds: 600);
        Temperature.ObserverCount.Should().Be(1);
    }

    [Fact, Trait("RFC", "7641 4.1")]
    public void The_same_token_for_another_resource_moves_the_observation_there()
    {
        Register();
        Client.Send("CON [0x1634] GET /slow (Token 0x4a) {Observe: 0}");
        Client.Expect("ACK [0x1634]", at: 0.25);
        Slow.Answer(Celsius("1"));
        Client.Expect("CON [Y] 2.05 Content (Token 0x4a) {Observe: 2, Max-Age: 15} '1'");
        Client.Send("ACK [Y]");

        Change("20 Cel");

        Client.ExpectNothing(seconds: 600);
        (Temperature.ObserverCount, SlowResource.ObserverCount).Should().Be((0, 1));
    }

    // The handler has read the old state when the resource changes; the answer is on its way after the change.
    [Fact, Trait("RFC", "7641 1.3"), Trait("RFC", "7641 4.2")]
    public void A_change_between_the_handlers_look_and_its_answer_is_not_lost()
    {
        Client.Send("CON [0x1634] GET /slow (Token 0x4a) {Observe: 0}");
        Client.Expect("ACK [0x1634]", at: 0.25);
        SlowResource.NotifyChanged();
        Slow.Answer(Celsius("old"));
        Client.Expect("CON [X] 2.05 Content (Token 0x4a) {Observe: 1, Max-Age: 15} 'old'");
        Client.Send("ACK [X]");
        Client.ExpectNothing(seconds: 0);

        Slow.Answer(Celsius("new"));

        Client.Expect("CON [Y] 2.05 Content (Token 0x4a) {Observe: 2, Max-Age: 15} 'new'");
    }

    [Fact, Trait("RFC", "7641 2"), Trait("RFC", "7641 4.1")]
    public void An_Observe_value_other_than_0_or_1_does_not_register()
    {
        Client.Send("CON [0x1634] GET /temperature (Token 0x4a) {Observe: 5}");

        Client.Expect("ACK [0x1634] 2.05 Content (Token 0x4a) {Max-Age: 15} '18.5 Cel'");
        Temperature.ObserverCount.Should().Be(0, "0 registers, 1 deregisters, and nothing else means anything");
    }

    [Theory, Trait("RFC", "7641 3.6"), Trait("RFC", "7641 4.5")]
    [InlineData(true), InlineData(false)]
    public void A_separate_answer_that_is_rejected_or_not_acknowledged_leaves_no_observer(bool isRejected)
    {
        Client.Send("CON [0x1634] GET /slow (Token 0x4a) {Observe: 0}");
        Client.Expect("ACK [0x1634]", at: 0.25);
        Slow.Answer(Celsius("1"));
        Client.Expect("CON [Y] 2.05 Content (Token 0x4a) {Observe: 1, Max-Age: 15} '1'");
        SlowResource.ObserverCount.Should().Be(1);

        if (isRejected) { Client.Send("RST [Y]"); }
        Client.TakeAll(seconds: 600);

        SlowResource.ObserverCount.Should().Be(0);
        Server.Leftovers.Should().Be(Nothing);
    }
}
