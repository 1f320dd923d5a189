using CoAP.Reliability;

namespace CoAP.Tests.Reliability;

public class RetransmissionTests
{
    private static long Seconds(double value) => (long)(value * TimeSpan.TicksPerSecond);

    private static Retransmission Create(double initialTimeout, int maxRetransmit = 4, double span = 45) =>
        new(0, Seconds(initialTimeout), maxRetransmit, Seconds(span));

    [Theory]
    [InlineData(2, new double[] { 2, 6, 14, 30 }, 62)]
    [InlineData(3, new double[] { 3, 9, 21, 45 }, 93)]
    [Trait("RFC", "7252 4.2")]
    public void Sends_four_times_with_doubled_waits_and_then_fails_once(double initialTimeout, double[] sends, double failure)
    {
        var cut = Create(initialTimeout);
        var times = new List<double>();

        var now = cut.Deadline;
        while (cut.Poll(now) is RetransmissionStep.Send)
        {
            times.Add((double)now / TimeSpan.TicksPerSecond);
            now = cut.Deadline;
        }

        times.Should().Equal(sends);
        now.Should().Be(Seconds(failure));
        cut.Attempts.Should().Be(5);
        cut.Deadline.Should().Be(long.MaxValue);
        cut.Poll(long.MaxValue).Should().Be(RetransmissionStep.Wait);
    }

    [Theory]
    [InlineData(0, 2)]
    [InlineData(0.5, 2.5)]
    [InlineData(0.999, 2.999)]
    [Trait("RFC", "7252 4.2")]
    public void The_initial_timeout_lies_between_ACK_TIMEOUT_and_ACK_TIMEOUT_times_ACK_RANDOM_FACTOR(double chance, double expected)
    {
        Retransmission.InitialTimeout(TransmissionParameters.Default, chance).Should().BeCloseTo(Seconds(expected), 1);
    }

    [Fact]
    [Trait("RFC", "7252 4.2")]
    public void A_poll_before_the_deadline_sends_nothing()
    {
        var cut = Create(2);

        cut.Poll(Seconds(2) - 1).Should().Be(RetransmissionStep.Wait);
        cut.Poll(Seconds(2)).Should().Be(RetransmissionStep.Send);
        cut.Poll(Seconds(2)).Should().Be(RetransmissionStep.Wait);
    }

    [Fact]
    [Trait("RFC", "7252 4.2")]
    public void A_settled_message_is_never_sent_again()
    {
        var cut = Create(2);
        cut.Poll(Seconds(2));

        cut.Settle();

        cut.IsSettled.Should().BeTrue();
        cut.Poll(Seconds(1000)).Should().Be(RetransmissionStep.Wait);
        cut.Attempts.Should().Be(2);
    }

    [Fact]
    [Trait("RFC", "7252 4.2")]
    public void A_late_poll_sends_once_and_catches_up_no_closer_than_the_timeout()
    {
        var cut = Create(2);

        cut.Poll(Seconds(13)).Should().Be(RetransmissionStep.Send);     // three are due
        cut.Deadline.Should().Be(Seconds(15));                          // the second one's time is over, 2 s are kept
        cut.Poll(Seconds(15)).Should().Be(RetransmissionStep.Send);
        cut.Deadline.Should().Be(Seconds(17));
        cut.Poll(Seconds(17)).Should().Be(RetransmissionStep.Send);
        cut.Deadline.Should().Be(Seconds(30));                          // back in the row
    }

    [Fact]
    [Trait("RFC", "7252 4.2")]
    public void Retransmissions_missed_until_the_end_of_the_transmit_span_are_not_sent()
    {
        var cut = Create(2);
        cut.Poll(Seconds(2));

        cut.Poll(Seconds(46)).Should().Be(RetransmissionStep.Wait);
        cut.Deadline.Should().Be(Seconds(62));
        cut.Poll(Seconds(62)).Should().Be(RetransmissionStep.Fail);
        cut.Attempts.Should().Be(2);
    }

    [Fact]
    public void A_poll_after_everything_fails_at_once()
    {
        var cut = Create(2);

        cut.Poll(Seconds(3600)).Should().Be(RetransmissionStep.Fail);
        cut.Poll(Seconds(3601)).Should().Be(RetransmissionStep.Wait);
    }

    [Fact]
    public void The_clock_may_be_inaccurate_when_there_is_no_random_factor()
    {
        var cut = Create(2, maxRetransmit: 1, span: 2);

        cut.Poll(Seconds(2.01)).Should().Be(RetransmissionStep.Send);
        cut.Poll(Seconds(6)).Should().Be(RetransmissionStep.Fail);
    }

    [Fact]
    public void Without_retransmissions_it_fails_after_the_timeout()
    {
        var cut = Create(2, maxRetransmit: 0, span: 0);

        cut.Poll(Seconds(2)).Should().Be(RetransmissionStep.Fail);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [Trait("RFC", "7252 4.2")]
    public void However_late_the_polls_are_spacing_and_span_are_kept(int seed)
    {
        var random = new Random(seed);
        for (var round = 0; round < 1000; round++)
        {
            var initial = Retransmission.InitialTimeout(TransmissionParameters.Default, random.NextDouble());
            var cut = new Retransmission(0, initial, 4, Seconds(45));
            long sent = 0, now = 0;
            while (!cut.IsSettled)
            {
                now = Math.Max(now, cut.Deadline) + Seconds(random.NextDouble() * random.Next(30));
                if (cut.Poll(now) is not RetransmissionStep.Send) { continue; }
                (now - sent).Should().BeGreaterThanOrEqualTo(Seconds(2), "seed {0}, round {1}", seed, round);
                now.Should().BeLessThanOrEqualTo(Seconds(45.375), "seed {0}, round {1}", seed, round);
                sent = now;
            }
            cut.Attempts.Should().BeInRange(1, 5);
        }
    }

    [Fact]
    [Trait("RFC", "7252 4.2")]
    public void A_day_of_messages_without_a_receiver_sends_each_five_times()
    {
        var random = new Random(7);
        var sent = new Dictionary<int, int>();
        var queue = new DeadlineQueue<Exchange>();
        var started = 0;
        for (long now = 0; now < Seconds(86_400); now = Math.Min(queue.NextDeadline, Seconds(10L * started)))
        {
            if (now == Seconds(10L * started))
            {
                queue.Update(new(started++, now, Retransmission.InitialTimeout(TransmissionParameters.Default, random.NextDouble())));
            }
            while (queue.TryPop(now, out var exchange))
            {
                exchange.Poll(now);
                sent[exchange.Number] = exchange.Attempts;
                queue.Update(exchange);
            }
        }

        started.Should().Be(8640);
        sent.Where(pair => pair.Key < 8630).Should().HaveCount(8630).And.OnlyContain(pair => pair.Value == 5);
        queue.Count.Should().BeInRange(1, 10);      // those of the last 93 seconds
    }

    private sealed class Exchange(int number, long now, long initialTimeout) : IDeadline
    {
        private Retransmission _retransmission = new(now, initialTimeout, 4, Seconds(45));

        public int Number => number;

        public long Deadline => _retransmission.Deadline;

        public int QueueIndex { get; set; }

        public int Attempts => _retransmission.Attempts;

        public void Poll(long now) => _retransmission.Poll(now);
    }
}
