using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>How long a state is fresh, and when the server is asked again (RFC 7641, section 3.3).</summary>
public sealed class ClientFreshnessTests : ObserverUnderTest
{
    [Fact, Trait("RFC", "7641 3.3"), Trait("RFC", "7252 5.10.5")]
    public void Without_Max_Age_a_state_is_fresh_for_60_seconds()
    {
        var observation = ObserveTemperature("{Observe: 9}");

        Server.ExpectNothing(seconds: 59.9);
        observation.State.Should().Be(ObservationState.Active);
        Server.ExpectNothing(seconds: 0.1);
        observation.State.Should().Be(ObservationState.Stale);
    }

    [Fact, Trait("RFC", "7641 3.3.1")]
    public void The_wait_after_Max_Age_is_between_5_and_15_seconds_by_default_and_differs_from_client_to_client()
    {
        var waits = new HashSet<double>();
        for (var seed = 0; seed < 40; seed++)
        {
            var wire = new Wire(new ManualClock(), seed);
            using var client = LaneEnd.Client(wire);
            using var server = ScriptedPeer.Server(wire);
            var observation = client.ChannelTo(wire.Server).BeginObserving(new CoapRequest(RequestCode.Get, "/t"));
            server.Expect("CON [X] GET /t (Token T) {Observe: 0}");
            server.Send("ACK [X] 2.05 Content (Token T) {Observe: 1, Max-Age: 60}");
            server.Expect("CON [Y] GET /t (Token T) {Observe: 0}");
            waits.Add(wire.Time.Elapsed.TotalSeconds - 60);
        }

        waits.Should().OnlyContain(wait => wait >= 5 && wait <= 15).And.HaveCountGreaterThan(30);
        (waits.Max() - waits.Min()).Should().BeGreaterThan(5);
    }

    [Fact, Trait("RFC", "7641 4.5")]
    public void A_huge_Max_Age_does_not_make_the_client_wait_for_ever()
    {
        ObserveTemperature("{Observe: 9, Max-Age: 4294967295}");

        Server.ExpectNothing(seconds: 25 * 3600);

        Server.Expect("CON [Y] GET /temperature (Token T) {Observe: 0}", at: 25 * 3600 + 10);
    }

    [Fact]
    public void Representations_that_are_never_fresh_do_not_turn_observing_into_polling()
    {
        ObserveTemperature("{Observe: 9, Max-Age: 0}");

        Server.Expect("CON [Y] GET /temperature (Token T) {Observe: 0}", at: 20);
        Server.Send("ACK [Y] 2.05 Content (Token T) {Observe: 9, Max-Age: 0} '18.5 Cel'");
        Server.Expect("CON [Z] GET /temperature (Token T) {Observe: 0}", at: 40);
    }

    [Fact, Trait("RFC", "7641 3.3.1")]
    public void Each_notification_begins_the_time_anew_and_the_server_is_not_asked()
    {
        var observation = ObserveTemperature();

        for (var i = 1; i <= 10; i++)
        {
            Server.ExpectNothing(seconds: 14);
            Server.Send($"NON [0x{i:x4}] 2.05 Content (Token T) {{Observe: {9 + i}, Max-Age: 15}} '{i}'");
        }
        Server.ExpectNothing(seconds: 14);

        observation.State.Should().Be(ObservationState.Active);
    }

    // Client              Server
    //    | CON GET Observe: 0 |  five times, not answered: CoapTimeoutException
    //    +------------------->|
    //    ... the server cannot be reached ...
    //    | CON GET Observe: 0 |  after a wait that doubles: nominally 10 s, 20 s, 40 s ... 300 s
    //    +------------------->|
    [Fact]
    public void A_silent_server_is_asked_again_less_and_less_often()
    {
        var observation = ObserveTemperature();

        Server.TakeAll(seconds: 6 * 3600);
        var starts = Wire.Sent(Direction.ToServer).GroupBy(one => Convert.ToHexString(one.Bytes)).Select(same => same.First().Time.TotalSeconds).ToList();

        // A registration takes 62 s to fail.
        var waits = starts.Zip(starts.Skip(1), (one, next) => next - one - 62).Skip(1).ToList();
        for (var i = 0; i < waits.Count; i++) { waits[i].Should().BeInRange(Math.Min(300, 10 << Math.Min(i, 9)) / 2.0, Math.Min(300, 10 << Math.Min(i, 9))); }
        waits.Should().HaveCountGreaterThan(50);
        (observation.State, observation.LastError).Should().Match<(ObservationState State, Exception? Error)>(
            found => found.State == ObservationState.ReRegistering && found.Error is CoapTimeoutException);
    }

    // Client              Server
    //    | CON [Y] GET Observe: 0
    //    +------------------->|
    //    | RST [Y]            |  restarted: it makes nothing of it yet
    //    |<-------------------+
    //    | CON [Z] GET Observe: 0
    //    +------------------->|
    //    | ACK [Z] 2.05 Observe: 1
    //    |<-------------------+
    [Fact, Trait("RFC", "7641 3.3.1")]
    public void A_server_that_rejects_a_registration_after_its_restart_is_asked_again()
    {
        var observation = ObserveTemperature();

        Server.Expect("CON [Y] GET /temperature (Token T) {Observe: 0}", at: 25);
        Server.Send("RST [Y]");
        Server.Expect("CON [Z] GET /temperature (Token T) {Observe: 0}");
        Wire.Time.Elapsed.TotalSeconds.Should().BeInRange(30, 35);
        observation.LastError.Should().BeOfType<CoapResetException>();
        Server.Send("ACK [Z] 2.05 Content (Token T) {Observe: 1} 'back'");
        Server.ExpectNothing(seconds: 1);

        Next(observation).Should().Be("back");
        observation.State.Should().Be(ObservationState.Active);
    }

    [Fact]
    public void A_notification_while_the_client_waits_to_ask_again_makes_the_state_fresh()
    {
        var observation = ObserveTemperature();
        Server.Expect("CON [Y] GET /temperature (Token T) {Observe: 0}", at: 25);
        Server.Send("RST [Y]");
        Server.ExpectNothing(seconds: 1);

        Server.Send("NON [0x0001] 2.05 Content (Token T) {Observe: 10, Max-Age: 100} 'still here'");
        Server.ExpectNothing(seconds: 100);

        Next(observation).Should().Be("still here");
    }

    [Theory, Trait("RFC", "7641 3.1")]
    [InlineData(true), InlineData(false)]
    public void The_registration_may_be_non_confirmable_and_its_answer_separate(bool confirmable)
    {
        var observation = Observe("/temperature", confirmable);

        Server.Expect($"{(confirmable ? "CON" : "NON")} [X] GET /temperature (Token T) {{Observe: 0}}");
        Server.Send("CON [0x0001] 2.05 Content (Token T) {Observe: 9} 'separate'");
        Server.Expect("ACK [0x0001]");
        Server.ExpectNothing(seconds: 50);

        Next(observation).Should().Be("separate");
        observation.State.Should().Be(ObservationState.Active);
    }
}
