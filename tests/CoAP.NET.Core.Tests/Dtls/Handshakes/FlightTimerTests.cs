using CoAP.Dtls;

namespace CoAP.Tests.Dtls.Handshakes;

public sealed class FlightTimerTests
{
    [Fact, Trait("RFC", "7925 11"), Trait("RFC", "6347 4.2.4.1")]
    public void The_time_doubles_up_to_a_minute_and_then_it_gives_up()
    {
        var cut = new FlightTimer(TimeSpan.FromSeconds(1), most: 8);
        var (now, waits) = (0L, new List<double>());
        cut.Start(0);
        do
        {
            waits.Add(TimeSpan.FromTicks(cut.Deadline - now).TotalSeconds);
            now = cut.Deadline;
        }
        while (cut.TryRetransmit(now));

        waits.Should().Equal(1, 2, 4, 8, 16, 32, 60, 60, 60);
    }

    [Fact, Trait("RFC", "6347 4.2.4")]
    public void No_timeout_is_set_before_a_flight_or_after_its_reply()
    {
        var cut = new FlightTimer(TimeSpan.FromSeconds(1), most: 3);
        cut.Deadline.Should().Be(long.MaxValue);
        cut.Start(5);
        cut.Stop();
        cut.Deadline.Should().Be(long.MaxValue);
    }

    [Fact, Trait("RFC", "6347 4.2.4.1")]
    public void Behind_a_flight_that_was_repeated_the_time_is_kept_until_a_flight_arrives_at_once()
    {
        var cut = new FlightTimer(TimeSpan.FromSeconds(1), most: 3);
        var waits = new List<double>();
        foreach (var retransmissions in new[] { 2, 0, 0 })
        {
            cut.Start(0);
            waits.Add(TimeSpan.FromTicks(cut.Deadline).TotalSeconds);
            for (var i = 0; i < retransmissions; i++) { cut.TryRetransmit(0).Should().BeTrue(); }
            cut.Retransmissions.Should().Be(retransmissions);
            cut.Stop();
        }

        waits.Should().Equal(1, 4, 1);
    }
}
