using System.Globalization;
using CoAP.Reliability;

namespace CoAP.Tests.Reliability;

/// <summary>The waits of draft-ietf-core-cocoa, section 4.2.1: the factor follows from the estimate, and RFC 7252's spans hold.</summary>
public class VariableBackOffTests
{
    private static readonly TransmissionParameters Even = new() { AckRandomFactor = 1 };

    private static long Seconds(double value) => (long)Math.Round(value * TimeSpan.TicksPerSecond);

    private static (List<double> Sends, double Failure) Run(double timeout, TransmissionParameters parameters, double chance = 0)
    {
        var cut = Retransmission.Adaptive(0, Seconds(timeout), parameters, chance);
        var sends = new List<double>();
        while (true)
        {
            var now = cut.Deadline;
            var step = cut.Poll(now);
            if (step == RetransmissionStep.Fail) { return (sends, now / 1e7); }
            if (step == RetransmissionStep.Send) { sends.Add(now / 1e7); }
        }
    }

    // MAX_TRANSMIT_SPAN is 30 s and MAX_TRANSMIT_WAIT 62 s without a random factor.
    [Theory]
    [InlineData(0.1, "0.1 0.4 1.3 4", 12.1)]        // times 3
    [InlineData(0.9, "0.9 3.6 11.7", 62)]           // 36 s is after the span, and 68 s after the wait
    [InlineData(1, "1 3 7 15", 31)]                 // times 2
    [InlineData(3, "3 9 21", 62)]                   // 45 s is after the span
    [InlineData(4, "4 10 19", 52.75)]               // times 1.5; 32.5 s is after the span
    [InlineData(40, "", 62)]
    [InlineData(100, "", 62)]
    public void The_back_off_depends_on_the_estimate(double timeout, string sends, double failure)
    {
        var run = Run(timeout, Even);

        run.Sends.Select(at => at.ToString(CultureInfo.InvariantCulture)).Should().Equal(sends.Split(' ', StringSplitOptions.RemoveEmptyEntries));
        run.Failure.Should().Be(failure);
    }

    [Fact]
    public void Randomness_lengthens_the_first_wait_but_does_not_affect_the_factor()
    {
        var run = Run(0.8, TransmissionParameters.Default, chance: 0.5);

        run.Sends.Should().Equal(1, 4, 13, 40);
        run.Failure.Should().Be(72, "40 s and 32 s, where the back-off is truncated");
    }

    [Theory, Trait("RFC", "7252 4.8.2")]
    [InlineData(1), InlineData(2), InlineData(3)]
    public void MAX_TRANSMIT_SPAN_and_MAX_TRANSMIT_WAIT_hold_for_every_estimate(int seed)
    {
        var random = new Random(seed);
        for (var round = 0; round < 1000; round++)
        {
            var parameters = new TransmissionParameters { AckTimeout = TimeSpan.FromSeconds(0.1 + (5 * random.NextDouble())), MaxRetransmit = random.Next(8) };

            var run = Run(0.1 + (60 * random.NextDouble()), parameters, random.NextDouble());

            run.Sends.LastOrDefault().Should().BeLessThanOrEqualTo(parameters.MaxTransmitSpan.TotalSeconds * 1.0001, "seed {0}, round {1}", seed, round);
            run.Sends.Should().HaveCountLessThanOrEqualTo(parameters.MaxRetransmit);
            run.Failure.Should().BeLessThanOrEqualTo(parameters.MaxTransmitWait.TotalSeconds * 1.0001, "seed {0}, round {1}", seed, round);
        }
    }
}
