using CoAP.Observing;

namespace CoAP.Tests.Observing;

public sealed class NotificationFlightTests
{
    private static readonly TransmissionParameters Exact = new() { AckRandomFactor = 1 };

    [Fact, Trait("RFC", "7641 4.5.2")]
    public void A_state_that_changes_before_every_time_out_is_given_up_when_one_that_never_changes_would_be()
    {
        Fly(hasNewer: true).Should().Equal(
            (2, FlightStep.SendNewer), (6, FlightStep.SendNewer), (14, FlightStep.SendNewer), (30, FlightStep.SendNewer), (62, FlightStep.GiveUp));
    }

    [Fact, Trait("RFC", "7641 4.5.2"), Trait("RFC", "7252 4.2")]
    public void A_state_that_does_not_change_is_sent_again_with_doubled_waits()
    {
        Fly(hasNewer: false).Should().Equal(
            (2, FlightStep.SendAgain), (6, FlightStep.SendAgain), (14, FlightStep.SendAgain), (30, FlightStep.SendAgain), (62, FlightStep.GiveUp));
    }

    [Fact, Trait("RFC", "7641 4.5.2")]
    public void A_newer_state_does_not_shorten_the_attempt_in_flight()
    {
        var cut = new NotificationFlight();
        cut.Begin(0, Exact, chance: 0);

        cut.Poll(Seconds(1.9), hasNewer: true).Should().Be(FlightStep.Wait);
        cut.Deadline.Should().Be(Seconds(2));
    }

    [Fact, Trait("RFC", "7641 4.5.2")]
    public void After_an_acknowledgement_the_next_flight_begins_anew()
    {
        var cut = new NotificationFlight();
        cut.Begin(0, Exact, chance: 0);
        cut.Poll(Seconds(2), hasNewer: true);
        cut.End(Seconds(3));

        cut.Begin(Seconds(3), Exact, chance: 0);

        cut.Deadline.Should().Be(Seconds(5));
    }

    [Fact]
    public void Only_messages_that_were_sent_once_measure_the_round_trip_time()
    {
        var cut = new NotificationFlight();
        cut.Begin(0, Exact, chance: 0);
        cut.End(Seconds(0.2)).Should().Be(Seconds(0.2));
        cut.IsOut.Should().BeFalse();

        cut.Begin(0, Exact, chance: 0);
        cut.Poll(Seconds(2), hasNewer: false);
        cut.End(Seconds(2.2)).Should().BeNull("the acknowledgement may be that of either");
    }

    private static List<(double, FlightStep)> Fly(bool hasNewer)
    {
        var cut = new NotificationFlight();
        var steps = new List<(double, FlightStep)>();
        cut.Begin(0, Exact, chance: 0);
        while (cut.IsOut)
        {
            var at = cut.Deadline;
            steps.Add((TimeSpan.FromTicks(at).TotalSeconds, cut.Poll(at, hasNewer)));
        }
        return steps;
    }

    private static long Seconds(double seconds) => TimeSpan.FromSeconds(seconds).Ticks;
}
