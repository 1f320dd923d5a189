using CoAP.Observing;

namespace CoAP.Tests.Observing;

public sealed class NotificationRateLimiterTests
{
    [Fact, Trait("RFC", "7641 4.5.1")]
    public void One_confirmable_notification_closes_the_window_until_it_is_settled()
    {
        var cut = new NotificationRateLimiter(nStart: 1);
        cut.Begin();

        cut.IsOpen(Seconds(50), isConfirmable: true, out var readyAt).Should().BeFalse();
        readyAt.Should().Be(long.MaxValue);
        cut.End();
        cut.IsOpen(Seconds(50), isConfirmable: true, out _).Should().BeTrue();
    }

    [Theory, Trait("RFC", "7641 4.5.1")]
    [InlineData(true), InlineData(false)]
    public void A_non_confirmable_one_closes_it_for_three_seconds_without_an_estimate(bool isConfirmable)
    {
        var cut = new NotificationRateLimiter(nStart: 1);
        cut.Sent(Seconds(10));

        cut.IsOpen(Seconds(12.9), isConfirmable, out var readyAt).Should().BeFalse();
        readyAt.Should().Be(Seconds(13));
        cut.IsOpen(Seconds(13), isConfirmable, out _).Should().BeTrue();
    }

    [Fact, Trait("RFC", "7641 4.5.1")]
    public void With_an_estimate_it_is_closed_for_a_round_trip_time()
    {
        var cut = new NotificationRateLimiter(nStart: 1);
        cut.Acknowledged(Seconds(0.8));
        cut.Acknowledged(Seconds(1.6));
        cut.Sent(0);

        cut.IsOpen(0, isConfirmable: false, out var readyAt);

        readyAt.Should().Be(Seconds(0.9), "seven eighths of 0.8 s and one of 1.6 s");
    }

    [Fact, Trait("RFC", "7641 4.5.1")]
    public void A_larger_NSTART_allows_more_confirmable_ones_but_not_more_of_the_others()
    {
        var cut = new NotificationRateLimiter(nStart: 3);
        cut.Sent(0);

        cut.IsOpen(Seconds(1), isConfirmable: false, out _).Should().BeFalse();
        cut.Begin();
        cut.IsOpen(Seconds(1), isConfirmable: true, out _).Should().BeTrue();
        cut.Begin();
        cut.IsOpen(Seconds(1), isConfirmable: true, out _).Should().BeFalse();
    }

    // Above the limits, errors that end observations are not confirmable, however many there are.
    [Fact, Trait("RFC", "7641 4.5.1")]
    public void Each_non_confirmable_notification_counts_towards_NSTART()
    {
        var cut = new NotificationRateLimiter(nStart: 2);
        cut.Sent(0);
        cut.IsOpen(0, isConfirmable: true, out _).Should().BeTrue();
        cut.Sent(0);

        cut.IsOpen(0, isConfirmable: true, out var readyAt).Should().BeFalse();
        readyAt.Should().Be(Seconds(3));
        cut.Sent(Seconds(3));
        cut.IsOpen(Seconds(3), isConfirmable: true, out _).Should().BeTrue();
    }

    [Fact]
    public void An_unmeasurably_short_round_trip_still_keeps_a_distance()
    {
        var cut = new NotificationRateLimiter(nStart: 1);
        cut.Acknowledged(0);
        cut.Sent(0);

        cut.IsOpen(0, isConfirmable: false, out var readyAt).Should().BeFalse();
        readyAt.Should().Be(Seconds(0.001));
    }

    private static long Seconds(double seconds) => TimeSpan.FromSeconds(seconds).Ticks;
}
