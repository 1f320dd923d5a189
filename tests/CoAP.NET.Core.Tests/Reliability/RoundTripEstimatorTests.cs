using CoAP.Reliability;

namespace CoAP.Tests.Reliability;

/// <summary>Expected figures in seconds, worked out by hand from draft-ietf-core-cocoa, section 4, and RFC 6298, section 2.</summary>
public class RoundTripEstimatorTests
{
    private static long Seconds(double value) => (long)Math.Round(value * TimeSpan.TicksPerSecond);

    private static RoundTripEstimator Create() => new(Seconds(2));

    [Theory]
    [InlineData(1, 2), InlineData(2, 4), InlineData(3, 6), InlineData(100, 60)]
    public void Before_a_measurement_each_parallel_exchange_adds_two_seconds(int parallel, double expected)
    {
        Create().Timeout(now: 0, parallel).Should().Be(Seconds(expected));
    }

    [Fact]
    public void After_a_third_retransmission_nothing_is_learned()
    {
        var cut = Create();

        cut.OnAcknowledged(Seconds(20), Seconds(20), retransmissions: 3);

        cut.RoundTrip.Should().BeNull();
        cut.Timeout(Seconds(20), parallel: 2).Should().Be(Seconds(4), "it is as blind as before");
    }

    // R = 1:    SRTT 1, RTTVAR 0.5, E_strong 1 + 4 * 0.5 = 3, RTO (3 + 2) / 2 = 2.5
    // R = 0.6:  RTTVAR 0.75 * 0.5 + 0.25 * 0.4 = 0.475, SRTT 0.875 * 1 + 0.125 * 0.6 = 0.95, E_strong 2.85, RTO (2.85 + 2.5) / 2 = 2.675
    [Fact]
    public void Strong_measurements_move_the_estimate_by_half()
    {
        var cut = Create();

        cut.OnAcknowledged(Seconds(1), Seconds(1), retransmissions: 0);
        cut.Timeout(Seconds(1), 1).Should().Be(Seconds(2.5));

        cut.OnAcknowledged(Seconds(2), Seconds(0.6), retransmissions: 0);
        cut.Timeout(Seconds(2), 1).Should().Be(Seconds(2.675));
        cut.RoundTrip.Should().Be(Seconds(0.95));
    }

    // R = 2.4: SRTT 2.4, RTTVAR 1.2, E_weak 2.4 + 1 * 1.2 = 3.6, RTO 0.25 * 3.6 + 0.75 * 2 = 2.4
    // R = 4:   RTTVAR 0.75 * 1.2 + 0.25 * 1.6 = 1.3, SRTT 0.875 * 2.4 + 0.125 * 4 = 2.6, E_weak 3.9, RTO 0.25 * 3.9 + 0.75 * 2.4 = 2.775
    [Theory]
    [InlineData(1), InlineData(2)]
    public void Weak_measurements_move_the_estimate_by_a_quarter_and_count_the_deviation_once(int retransmissions)
    {
        var cut = Create();

        cut.OnAcknowledged(Seconds(3), Seconds(2.4), retransmissions);
        cut.Timeout(Seconds(3), 1).Should().Be(Seconds(2.4));

        cut.OnAcknowledged(Seconds(8), Seconds(4), retransmissions);
        cut.Timeout(Seconds(8), 1).Should().Be(Seconds(2.775));
        cut.RoundTrip.Should().Be(Seconds(2.6));
    }

    [Fact]
    public void A_round_trip_without_retransmissions_is_believed_more_than_one_with_them()
    {
        var cut = Create();

        cut.OnAcknowledged(Seconds(3), Seconds(2.4), retransmissions: 1);
        cut.OnAcknowledged(Seconds(4), Seconds(0.2), retransmissions: 0);
        cut.OnAcknowledged(Seconds(9), Seconds(2.2), retransmissions: 1);

        cut.RoundTrip.Should().Be(Seconds(0.2));
    }

    // R = 0.1 twice: E_strong 0.3 and RTO 1.15; RTTVAR 0.0375, E_strong 0.25, RTO 0.7. Then 16 * 0.7 = 11.2 s later 1.4, and no more.
    [Theory]
    [InlineData(11.1, 0.7), InlineData(11.2, 1.4), InlineData(1000, 1.4)]
    public void A_short_estimate_doubles_when_it_was_not_refreshed_for_sixteen_times_its_length(double later, double expected)
    {
        var cut = Create();
        cut.OnAcknowledged(Seconds(1), Seconds(0.1), retransmissions: 0);
        cut.OnAcknowledged(Seconds(2), Seconds(0.1), retransmissions: 0);

        cut.Timeout(Seconds(2 + later), 1).Should().Be(Seconds(expected));
    }

    // R = 4: E_strong 12, RTO 7. After 28 s 1 + 3.5 = 4.5, after 18 s more 3.25, after 13 s more 2.625, which is no longer above 3.
    [Theory]
    [InlineData(27.9, 7), InlineData(28, 4.5), InlineData(45.9, 4.5), InlineData(46, 3.25), InlineData(59, 2.625), InlineData(100_000, 2.625)]
    public void A_long_estimate_goes_half_the_way_to_two_seconds_after_four_times_its_length(double later, double expected)
    {
        var cut = Create();
        cut.OnAcknowledged(Seconds(4), Seconds(4), retransmissions: 0);

        cut.Timeout(Seconds(4 + later), 1).Should().Be(Seconds(expected));
    }

    [Fact]
    public void No_estimate_is_longer_than_a_minute_or_shorter_than_a_tenth_of_a_second()
    {
        var (slow, fast) = (Create(), Create());

        for (var i = 0; i < 20; i++) { slow.OnAcknowledged(Seconds(i), Seconds(90), retransmissions: 0); }
        for (var i = 0; i < 20; i++) { fast.OnAcknowledged(Seconds(i), Seconds(0.00002), retransmissions: 0); }

        slow.Timeout(Seconds(20), 1).Should().Be(Seconds(60));
        fast.Timeout(Seconds(19), 1).Should().Be(Seconds(0.1));
    }

    [Theory]
    [InlineData(1), InlineData(2), InlineData(3)]
    public void The_estimate_agrees_with_a_floating_point_computation(int seed)
    {
        var random = new Random(seed);
        var (cut, model, now) = (Create(), new Model(), 0.0);
        for (var i = 0; i < 500; i++)
        {
            now += random.Next(4) == 0 ? random.NextDouble() * 60 : random.NextDouble();
            var (roundTrip, retransmissions) = (0.05 + (random.NextDouble() * 5), random.Next(4));

            model.Take(now, roundTrip, retransmissions);
            cut.OnAcknowledged(Seconds(now), Seconds(roundTrip), retransmissions);

            if (model.IsBlind) { continue; }
            var expected = Math.Max(model.Timeout(now), 0.1);
            (cut.Timeout(Seconds(now), 1) / 1e7).Should().BeApproximately(expected, 0.0001, "seed {0}, step {1}", seed, i);
        }
    }

    private sealed class Model
    {
        private readonly (double Trip, double Deviation)?[] _estimators = new (double Trip, double Deviation)?[2];
        private double _rto = 2;
        private double _since;

        public bool IsBlind => _estimators.All(one => one is null);

        public void Take(double now, double roundTrip, int retransmissions)
        {
            if (retransmissions == 3) { return; }
            if (!IsBlind) { Timeout(now); }
            var (which, factor, weight) = retransmissions == 0 ? (0, 4, 0.5) : (1, 1, 0.25);
            var next = _estimators[which] is { } old
                ? (Trip: (0.875 * old.Trip) + (0.125 * roundTrip), Deviation: (0.75 * old.Deviation) + (0.25 * Math.Abs(old.Trip - roundTrip)))
                : (Trip: roundTrip, Deviation: roundTrip / 2);
            _estimators[which] = next;
            _rto = Math.Min((weight * (next.Trip + (factor * next.Deviation))) + ((1 - weight) * _rto), 60);
            _since = now;
        }

        public double Timeout(double now)
        {
            while (_rto < 1 && now >= _since + (16 * _rto)) { (_since, _rto) = (_since + (16 * _rto), 2 * _rto); }
            while (_rto > 3 && now >= _since + (4 * _rto)) { (_since, _rto) = (_since + (4 * _rto), 1 + (_rto / 2)); }
            return _rto;
        }
    }
}
