namespace CoAP.Tests.Reliability;

public class TransmissionParametersTests
{
    [Fact]
    [Trait("RFC", "7252 4.8")]
    public void The_defaults_are_those_of_table_2()
    {
        var cut = TransmissionParameters.Default;

        cut.AckTimeout.Should().Be(TimeSpan.FromSeconds(2));
        cut.AckRandomFactor.Should().Be(1.5);
        cut.MaxRetransmit.Should().Be(4);
        cut.NStart.Should().Be(1);
        cut.DefaultLeisure.Should().Be(TimeSpan.FromSeconds(5));
        cut.ProbingRate.Should().Be(1);
    }

    [Fact]
    [Trait("RFC", "7252 4.8.2")]
    public void The_derived_times_are_those_of_table_3()
    {
        var cut = TransmissionParameters.Default;

        cut.MaxTransmitSpan.Should().Be(TimeSpan.FromSeconds(45));
        cut.MaxTransmitWait.Should().Be(TimeSpan.FromSeconds(93));
        cut.MaxLatency.Should().Be(TimeSpan.FromSeconds(100));
        cut.ProcessingDelay.Should().Be(TimeSpan.FromSeconds(2));
        cut.MaxRoundTrip.Should().Be(TimeSpan.FromSeconds(202));
        cut.ExchangeLifetime.Should().Be(TimeSpan.FromSeconds(247));
        cut.NonLifetime.Should().Be(TimeSpan.FromSeconds(145));
    }

    [Fact]
    [Trait("RFC", "7252 4.8.2")]
    public void The_derived_times_follow_the_parameters()
    {
        var cut = new TransmissionParameters
        {
            AckTimeout = TimeSpan.FromSeconds(1),
            AckRandomFactor = 2,
            MaxRetransmit = 2,
            MaxLatency = TimeSpan.FromSeconds(10),
        };

        cut.MaxTransmitSpan.Should().Be(TimeSpan.FromSeconds(6));       // (1 + 2) * 2
        cut.MaxTransmitWait.Should().Be(TimeSpan.FromSeconds(14));      // (1 + 2 + 4) * 2
        cut.MaxRoundTrip.Should().Be(TimeSpan.FromSeconds(21));
        cut.ExchangeLifetime.Should().Be(TimeSpan.FromSeconds(27));
        cut.NonLifetime.Should().Be(TimeSpan.FromSeconds(16));
    }

    [Fact]
    [Trait("RFC", "7252 4.8.2")]
    public void An_exchange_lives_at_least_as_long_as_its_last_wait()
    {
        var cut = new TransmissionParameters { MaxRetransmit = 8 };

        cut.MaxTransmitWait.Should().Be(TimeSpan.FromSeconds(1533));    // 2 * (2 ** 9 - 1) * 1.5
        cut.ExchangeLifetime.Should().Be(TimeSpan.FromSeconds(1533));   // 765 + 202 would end before the last wait does
    }

    [Fact]
    public void The_processing_delay_follows_the_ACK_timeout_until_it_is_set()
    {
        var changed = TransmissionParameters.Default with { AckTimeout = TimeSpan.FromSeconds(3) };
        var set = changed with { ProcessingDelay = TimeSpan.FromSeconds(1) };

        changed.ProcessingDelay.Should().Be(TimeSpan.FromSeconds(3));
        set.ProcessingDelay.Should().Be(TimeSpan.FromSeconds(1));
    }

    [Fact]
    public void The_largest_values_do_not_overflow()
    {
        var day = TimeSpan.FromDays(1);
        var cut = new TransmissionParameters { AckTimeout = day, AckRandomFactor = 4, MaxRetransmit = 20, MaxLatency = day };

        cut.ExchangeLifetime.Should().Be(cut.MaxTransmitWait).And.BeGreaterThan(day * 8_000_000);
    }

    public static TheoryData<string, Func<TransmissionParameters>> WrongValues => new()
    {
        { "AckTimeout", () => new() { AckTimeout = TimeSpan.FromMicroseconds(999) } },
        { "AckTimeout", () => new() { AckTimeout = TimeSpan.FromDays(1.1) } },
        { "AckRandomFactor", () => new() { AckRandomFactor = 0.99 } },
        { "AckRandomFactor", () => new() { AckRandomFactor = double.NaN } },
        { "MaxRetransmit", () => new() { MaxRetransmit = -1 } },
        { "MaxRetransmit", () => new() { MaxRetransmit = 21 } },
        { "NStart", () => new() { NStart = 0 } },
        { "ProbingRate", () => new() { ProbingRate = 0 } },
        { "DefaultLeisure", () => new() { DefaultLeisure = TimeSpan.FromTicks(-1) } },
        { "MaxLatency", () => new() { MaxLatency = TimeSpan.FromTicks(-1) } },
        { "ProcessingDelay", () => new() { ProcessingDelay = TimeSpan.FromTicks(-1) } },
    };

    [Theory]
    [MemberData(nameof(WrongValues))]
    [Trait("RFC", "7252 4.8.1")]
    public void A_value_out_of_range_is_refused_by_name(string name, Func<TransmissionParameters> create)
    {
        create.Should().Throw<ArgumentOutOfRangeException>().WithParameterName(name).WithMessage("*are allowed*");
    }
}
