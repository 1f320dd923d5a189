namespace CoAP.Signaling;

public sealed class StreamSettingsTests
{
    [Fact]
    public void Has_the_documented_defaults()
    {
        var settings = new StreamSettings();

        (settings.MaxMessageSize, settings.AbortAboveSize, settings.MaxTokenLength).Should().Be((65_536, 16_777_216L, 8));
        settings.AnnouncesBlockWise.Should().BeTrue();
        (settings.CsmTimeout, settings.MessageTimeout).Should().Be((TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(60)));
        (settings.IdleTimeout, settings.ReleaseTimeout).Should().Be((TimeSpan.FromMinutes(5), TimeSpan.FromSeconds(30)));
        (settings.PingInterval, settings.PingTimeout).Should().Be((null, TimeSpan.FromSeconds(30)));
    }

    [Fact]
    public void Refuses_sizes_out_of_range()
    {
        Func<StreamSettings>[] wrong =
        [
            () => new() { MaxMessageSize = 63 },
            () => new() { AbortAboveSize = -1 },
            () => new() { MaxTokenLength = 7 },
            () => new() { MaxTokenLength = 65_805 },
        ];

        wrong.Should().AllSatisfy(make => make.Should().Throw<ArgumentOutOfRangeException>());
        var right = () => new StreamSettings { MaxMessageSize = 64, AbortAboveSize = 0, MaxTokenLength = 65_804 };
        right.Should().NotThrow();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    public void Refuses_times_that_are_not_positive(long ticks)
    {
        var time = TimeSpan.FromTicks(ticks);
        Func<StreamSettings>[] wrong =
        [
            () => new() { CsmTimeout = time },
            () => new() { IdleTimeout = time },
            () => new() { PingInterval = time },
            () => new() { PingTimeout = time },
            () => new() { MessageTimeout = time },
            () => new() { ReleaseTimeout = time },
        ];

        wrong.Should().AllSatisfy(make => make.Should().Throw<ArgumentOutOfRangeException>());
    }
}
