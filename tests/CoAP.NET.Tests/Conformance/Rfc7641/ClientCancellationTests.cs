namespace CoAP.Tests.Conformance;

/// <summary>Whatever state an observation is in when its reader leaves: nothing of it stays on the lane (RFC 7641, section 3.6).</summary>
public sealed class ClientCancellationTests : ObserverUnderTest
{
    [Fact]
    public void Cancellation_before_the_lane_starts_sends_nothing()
    {
        var observation = Observe("/temperature");
        Leave(observation);

        Server.ExpectNothing(seconds: 600);
        Client.Leftovers.Should().Be(NothingLeft);
    }

    [Fact]
    public void Cancellation_while_waiting_for_NSTART_sends_nothing()
    {
        _ = Client.Get("/other");
        Server.Expect("CON [X] GET /other (Token U)");
        var observation = Observe("/temperature");
        Server.ExpectNothing(seconds: 1);

        Leave(observation);
        Server.Send("ACK [X] 2.05 Content (Token U)");

        Server.ExpectNothing(seconds: 600);
        Client.Leftovers.Should().Be(NothingLeft);
    }

    // Client              Server
    //    | CON [X] GET (Token T) Observe: 0
    //    +------------------->|
    //    | CON [Z] GET (Token T) Observe: 1   instead of retransmissions
    //    +------------------->|
    [Theory, Trait("RFC", "7641 3.6")]
    [InlineData(null), InlineData("ACK [X]")]
    public void Cancellation_during_registration_deregisters(string? heard)
    {
        var observation = Observe("/temperature");
        Server.Expect("CON [X] GET /temperature (Token T) {Observe: 0}");
        if (heard is not null) { Server.Send(heard); }
        Server.ExpectNothing(seconds: 1);

        Leave(observation);
        Server.Expect("CON [Z] GET /temperature (Token T) {Observe: 1}", at: 1);
        Server.Send("ACK [Z] 2.05 Content (Token T)");

        Server.ExpectNothing(seconds: 600);
        observation.EndReason.Should().Be(ObservationEnd.Canceled);
        Client.Leftovers.Should().Be(NothingLeft);
    }

    [Theory, Trait("RFC", "7641 3.6")]
    [InlineData(1, ObservationState.Active), InlineData(16, ObservationState.Stale), InlineData(25.5, ObservationState.ReRegistering)]
    [InlineData(88, ObservationState.ReRegistering)]
    public void Cancellation_after_registration_deregisters(double seconds, ObservationState state)
    {
        var observation = ObserveTemperature();
        Server.TakeAll(seconds);
        observation.State.Should().Be(state);

        Leave(observation);
        Server.Expect("CON [Z] GET /temperature (Token T) {Observe: 1}", at: seconds);
        Server.Send("RST [Z]");

        Server.ExpectNothing(seconds: 600);
        Client.Leftovers.Should().Be(NothingLeft);
    }

    [Fact]
    public void Cancellation_after_the_end_sends_nothing()
    {
        var observation = ObserveTemperature();
        Server.Send("NON [0x0001] 4.04 Not Found (Token T)");
        Server.ExpectNothing(seconds: 1);

        Leave(observation);

        Server.ExpectNothing(seconds: 600);
        Client.Leftovers.Should().Be(NothingLeft);
    }

    [Fact]
    public void Repeated_cancellation_deregisters_once()
    {
        var observation = ObserveTemperature();
        Leave(observation);
        Leave(observation);
        Server.Expect("CON [Z] GET /temperature (Token T) {Observe: 1}");
        Server.Send("ACK [Z] 2.05 Content (Token T)");

        Server.ExpectNothing(seconds: 600);
        Client.Leftovers.Should().Be(NothingLeft);
    }

    [Fact]
    public void A_suspended_observation_leaves_the_server_its_registration()
    {
        var observation = ObserveTemperature();

        observation.Suspend();

        Server.ExpectNothing(seconds: 600);
        observation.EndReason.Should().Be(ObservationEnd.Suspended);
        Client.Leftovers.Should().Be(NothingLeft);
    }

    [Theory]
    [InlineData(0), InlineData(1), InlineData(16), InlineData(30), InlineData(89)]
    public void The_end_of_the_lane_ends_it(double seconds)
    {
        var observation = Observe("/temperature");
        if (seconds > 0)
        {
            Server.Expect("CON [X] GET /temperature (Token T) {Observe: 0}");
            Server.Send("ACK [X] 2.05 Content (Token T) {Observe: 9, Max-Age: 15}");
            Server.TakeAll(seconds);
            Take(observation).Should().NotBeNull();
        }

        Client.Dispose();

        var taking = () => Take(observation);
        taking.Should().Throw<CoapTransportException>();
        observation.State.Should().Be(ObservationState.Ended);
    }
}
