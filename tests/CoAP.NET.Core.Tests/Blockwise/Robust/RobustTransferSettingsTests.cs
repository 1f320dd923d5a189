namespace CoAP.Tests.Blockwise.Robust;

public class RobustTransferSettingsTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(257)]
    public void MAX_PAYLOADS_has_bounds(int value)
    {
        var act = () => new RobustTransferSettings { MaxPayloads = value };

        act.Should().Throw<ArgumentOutOfRangeException>().WithMessage($"*MaxPayloads is {value}; 1 to 256 are allowed.*");
    }

    [Fact]
    public void Times_and_factors_have_bounds()
    {
        ((Action)(() => _ = new RobustTransferSettings { NonTimeout = TimeSpan.Zero })).Should().Throw<ArgumentOutOfRangeException>();
        ((Action)(() => _ = new RobustTransferSettings { AckRandomFactor = double.NaN })).Should().Throw<ArgumentOutOfRangeException>();
        ((Action)(() => _ = new RobustTransferSettings { NonMaxRetransmit = 21 })).Should().Throw<ArgumentOutOfRangeException>();
    }

    // Table 3 of RFC 9177, section 7.2.
    [Fact]
    [Trait("RFC", "9177 7.2")]
    public void The_defaults_are_those_of_the_table()
    {
        var cut = RobustTransferSettings.Default;

        cut.MaxPayloads.Should().Be(10);
        cut.NonMaxRetransmit.Should().Be(4);
        cut.NonTimeout.Should().Be(TimeSpan.FromSeconds(2));
        new TimeSpan(cut.NonTimeoutRandom(0)).Should().Be(TimeSpan.FromSeconds(2));
        new TimeSpan(cut.NonTimeoutRandom(1)).Should().Be(TimeSpan.FromSeconds(3));
        cut.NonReceiveTimeout.Should().Be(TimeSpan.FromSeconds(4));
        cut.NonProbingWait.Should().Be(TimeSpan.FromSeconds(248));
        cut.NonPartialTimeout.Should().Be(TimeSpan.FromSeconds(247));
    }

    [Theory]
    [InlineData(1, null, 2.5)]      // twice NON_TIMEOUT would be 2
    [InlineData(2, 3.0, 4)]
    [InlineData(2, 9.0, 9)]
    [InlineData(10, null, 20)]
    [Trait("RFC", "9177 7.2")]
    public void NON_RECEIVE_TIMEOUT_is_a_second_longer_than_NON_TIMEOUT_RANDOM_can_be(double nonTimeout, double? set, double expected)
    {
        var cut = new RobustTransferSettings { NonTimeout = TimeSpan.FromSeconds(nonTimeout) };
        if (set is { } value) { cut = cut with { NonReceiveTimeout = TimeSpan.FromSeconds(value) }; }

        cut.NonReceiveTimeout.Should().Be(TimeSpan.FromSeconds(expected));
    }
}
