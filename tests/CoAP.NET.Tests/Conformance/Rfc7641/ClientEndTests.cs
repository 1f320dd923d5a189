using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>How an observation ends: by the server, by a failure, by its reader (RFC 7641, sections 3.1, 3.2 and 3.6).</summary>
public sealed class ClientEndTests : ObserverUnderTest
{
    [Fact, Trait("RFC", "7641 3.1")]
    public void A_server_that_answers_without_Observe_is_not_asked_again()
    {
        var observation = Observe("/temperature");

        Server.Expect("CON [X] GET /temperature (Token T) {Observe: 0}");
        Server.Send("ACK [X] 2.05 Content (Token T) {Max-Age: 1} '18.5 Cel'");
        Server.ExpectNothing(seconds: 3600);

        Next(observation).Should().Be("18.5 Cel");
        (observation.State, observation.EndReason).Should().Be((ObservationState.Ended, ObservationEnd.NotObserved));
        Client.Leftovers.Should().Be(NothingLeft);
    }

    [Theory, Trait("RFC", "7641 3.2"), Trait("RFC", "7252 5.4.3")]
    [InlineData("2.05 Content (Token T)", ObservationEnd.NotObserved)]
    [InlineData("4.04 Not Found (Token T)", ObservationEnd.ErrorResponse)]
    [InlineData("5.03 Service Unavailable (Token T) {Max-Age: 5}", ObservationEnd.ErrorResponse)]
    [InlineData("4.04 Not Found (Token T) {Observe: 10}", ObservationEnd.ErrorResponse)]
    public void A_notification_of_the_end_is_delivered_as_the_last_one(string message, ObservationEnd reason)
    {
        var observation = ObserveTemperature();

        Server.Send($"CON [0x0001] {message} 'gone'");
        Server.Expect("ACK [0x0001]");
        Server.ExpectNothing(seconds: 3600);

        Next(observation).Should().Be("gone");
        observation.EndReason.Should().Be(reason);
        Client.Leftovers.Should().Be(NothingLeft);
    }

    [Fact, Trait("RFC", "7252 5.4.3")]
    public void An_Observe_option_of_four_bytes_counts_as_none()
    {
        var observation = ObserveTemperature();

        Server.SendBytes($"58 45 0001 {TokenOf(Server.LastBytes)} 64 01020304");
        Server.ExpectNothing(seconds: 3600);

        observation.EndReason.Should().Be(ObservationEnd.NotObserved);
        Client.Leftovers.Should().Be(NothingLeft);
    }

    [Fact]
    public void A_first_registration_that_nobody_answers_fails()
    {
        var observation = Observe("/temperature");

        Server.TakeAll(seconds: 3600);

        var taking = () => Take(observation);
        taking.Should().Throw<CoapTimeoutException>();
        observation.EndReason.Should().Be(ObservationEnd.Failed);
        Client.Leftovers.Should().Be(NothingLeft);
    }

    // Client              Server
    //    | CON 2.05 (Token T) {65001: 0x01}
    //    |<-------------------+
    //    | RST                |  the server removes the observer (RFC 7641, section 3.6)
    //    +------------------->|
    //    | CON GET (Token T) Observe: 0     within 10 s: the wait after a failure
    //    +------------------->|
    [Theory, Trait("RFC", "7252 5.4.1"), Trait("RFC", "7641 3.6")]
    [InlineData("{Observe: 10, 65001: 0x01}", "*critical option 65001 is unknown*")]
    [InlineData("{65001: 0x01}", "*critical option 65001 is unknown*")]
    [InlineData("{Observe: 10, 23: 0x01020304}", "*(Block2), 4 bytes, is not allowed*")]
    [InlineData("{Observe: 10, Uri-Path: a}", "*(Uri-Path) is not defined for code 2.05*")]
    public void A_confirmable_notification_with_a_critical_option_that_is_not_understood_is_rejected_and_the_client_registers_again(string options, string error)
    {
        var observation = ObserveTemperature();

        Server.Send($"CON [0x0001] 2.05 Content (Token T) {options} 'odd'");
        Server.Expect("RST [0x0001]");
        observation.State.Should().Be(ObservationState.ReRegistering);
        observation.LastError.Should().BeOfType<CoapTransportException>().Which.Message.Should().Match(error);
        Server.Expect("CON [Z] GET /temperature (Token T) {Observe: 0}");
        Server.Send("ACK [Z] 2.05 Content (Token T) {Observe: 12} '19.2 Cel'");
        Wire.RunFor(TimeSpan.Zero);

        Next(observation).Should().Be("19.2 Cel", "the loop goes on, and the notification that was rejected is missing");
        observation.State.Should().Be(ObservationState.Active);
    }

    [Fact, Trait("RFC", "7252 5.4.1")]
    public void A_stream_of_notifications_that_are_not_understood_does_not_put_the_registration_off()
    {
        var observation = ObserveTemperature();

        for (var i = 1; i <= 9; i++)
        {
            Server.Send($"NON [0x000{i}] 2.05 Content (Token T) {{Observe: {9 + i}, 65001: 0x01}} 'odd'");
            Wire.RunFor(TimeSpan.FromSeconds(1));
        }
        Server.Expect("CON [Z] GET /temperature (Token T) {Observe: 0}");

        Next(observation).Should().BeNull();
        observation.State.Should().Be(ObservationState.ReRegistering);
    }

    [Fact, Trait("RFC", "7252 5.4.1")]
    public void A_first_response_with_a_critical_option_that_is_not_understood_fails_the_registration()
    {
        var observation = Observe("/temperature");

        Server.Expect("CON [X] GET /temperature (Token T) {Observe: 0}");
        Server.Send("ACK [X] 2.05 Content (Token T) {Observe: 10, 65001: 0x01} 'odd'");
        Wire.RunFor(TimeSpan.Zero);

        var taking = () => Take(observation);
        taking.Should().Throw<CoapTransportException>().WithMessage("*65001*");
    }

    [Theory, Trait("RFC", "7252 5.4.1")]
    [InlineData(true), InlineData(false)]
    public void A_later_registration_is_repeated_after_a_response_that_is_not_understood(bool isPiggybacked)
    {
        var observation = ObserveTemperature();
        Server.Expect("CON [Y] GET /temperature (Token T) {Observe: 0}");       // Max-Age has passed

        if (!isPiggybacked) { Server.Send("ACK [Y]"); }
        Server.Send(isPiggybacked ? "ACK [Y] 2.05 Content (Token T) {Observe: 10, 65001: 0x01} 'odd'" : "CON [0x0001] 2.05 Content (Token T) {Observe: 10, 65001: 0x01} 'odd'");
        if (!isPiggybacked) { Server.Expect("RST [0x0001]"); }
        Server.Expect("CON [Z] GET /temperature (Token T) {Observe: 0}");
        Server.Send("ACK [Z] 2.05 Content (Token T) {Observe: 12} '19.2 Cel'");
        Wire.RunFor(TimeSpan.Zero);

        Next(observation).Should().Be("19.2 Cel");
    }

    // Client              Server
    //    | CON [Z] GET (Token T) Observe: 1
    //    +------------------->|
    //    | ACK [Z] 2.05       |
    //    |<-------------------+
    //    | CON 2.05 (Token T) Observe: 11   the server has not heard it, or is hostile
    //    |<-------------------+
    //    | RST                |
    //    +------------------->|
    [Fact, Trait("RFC", "7641 3.6")]
    public void Leaving_deregisters_with_the_same_token_and_what_still_comes_is_rejected()
    {
        var observation = ObserveTemperature();

        Leave(observation);
        Server.Expect("CON [Z] GET /temperature (Token T) {Observe: 1}");
        Server.Send("ACK [Z] 2.05 Content (Token T) '18.5 Cel'");
        Server.ExpectNothing(seconds: 1);
        Server.Send("CON [0x0001] 2.05 Content (Token T) {Observe: 11} 'late'");
        Server.Expect("RST [0x0001]");

        Server.ExpectNothing(seconds: 3600);
        Next(observation).Should().BeNull();
        Client.Leftovers.Should().Be(NothingLeft);
    }

    [Fact, Trait("RFC", "7641 3.6")]
    public void A_notification_that_crosses_the_deregistration_is_acknowledged_and_goes_to_nobody()
    {
        var observation = ObserveTemperature();

        Leave(observation);
        Server.Expect("CON [Z] GET /temperature (Token T) {Observe: 1}");
        Server.Send("CON [0x0001] 2.05 Content (Token T) {Observe: 11} 'crossing'");
        Server.Expect("ACK [0x0001]");
        Server.Send("ACK [Z]");
        Server.Send("NON [0x0002] 2.05 Content (Token T) 'separate'");

        Server.ExpectNothing(seconds: 3600);
        Next(observation).Should().BeNull();
        Client.Leftovers.Should().Be(NothingLeft);
    }

    [Fact, Trait("RFC", "7641 3.6")]
    public void A_notification_after_a_failed_deregistration_is_rejected()
    {
        var observation = ObserveTemperature();

        Leave(observation);
        Server.TakeAll(seconds: 100);
        Server.Send("NON [0x0001] 2.05 Content (Token T) {Observe: 11} 'late'");
        Server.Expect("RST [0x0001]");

        Wire.RunUntilIdle();
        Client.Leftovers.Should().Be(NothingLeft);
    }

    [Fact, Trait("RFC", "7641 3.6")]
    public void By_setting_an_observation_is_only_forgotten()
    {
        using var client = LaneEnd.Client(Wire, Settings with { ClientObservations = new() { DeregistersOnEnd = false } }, "other");
        var observation = Observe(new CoapRequest(RequestCode.Get, "/t"), client);
        Server.Expect("CON [X] GET /t (Token T) {Observe: 0}");
        Server.Send("ACK [X] 2.05 Content (Token T) {Observe: 9}");
        Wire.RunFor(TimeSpan.FromSeconds(1));

        Leave(observation);
        Server.ExpectNothing(seconds: 1);
        Server.Send("NON [0x0001] 2.05 Content (Token T) {Observe: 11} 'late'");
        Server.Expect("RST [0x0001]");
    }

    private static string TokenOf(byte[] message) => Hex.Text(message.AsSpan(4, 8));
}
