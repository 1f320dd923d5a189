namespace CoAP.Observing;

public sealed class SubscriptionTests
{
    private static readonly SubscriptionTiming Timing = new()
    {
        NotificationTimeout = Seconds(1000),
        MinRegistrationDelay = Seconds(5),
        MaxRegistrationDelay = Seconds(15),
        MinRegistrationInterval = Seconds(20),
        InitialRetryDelay = Seconds(10),
        MaxRetryDelay = Seconds(40),
    };

    private readonly Subscription _subscription = new(Timing);

    [Theory]
    [InlineData(0, 65), InlineData(0.5, 70), InlineData(1, 75)]
    [Trait("RFC", "7641 3.3.1")]
    public void Is_stale_after_Max_Age_and_registers_after_a_random_wait(double chance, double seconds)
    {
        Register(0);
        Receive(1, 0, chance: chance).Should().Be(NotificationVerdict.Newer);

        _subscription.Deadline.Should().Be(Seconds(60));
        _subscription.Poll(Seconds(60)).Should().Be(SubscriptionStep.Wait);
        _subscription.State.Should().Be(ObservationState.Stale);
        _subscription.Deadline.Should().Be(Seconds(seconds));
        _subscription.Poll(Seconds(seconds) - 1).Should().Be(SubscriptionStep.Wait);
        _subscription.Poll(Seconds(seconds)).Should().Be(SubscriptionStep.Register);
    }

    [Fact]
    [Trait("RFC", "8323 7.3")]
    public void Over_a_reliable_transport_the_connection_is_probed_instead()
    {
        Register(0, isReliable: true);
        Receive(1, 0);

        _subscription.Poll(Seconds(75)).Should().Be(SubscriptionStep.Probe);
        _subscription.Poll(Seconds(94)).Should().Be(SubscriptionStep.Wait);
        _subscription.Poll(Seconds(95)).Should().Be(SubscriptionStep.Probe, "it is asked now and then while the state is stale");
    }

    [Fact]
    [Trait("RFC", "8323 7.1")]
    public void Over_a_reliable_transport_the_number_says_nothing()
    {
        Register(0, isReliable: true);
        Receive(9, 0);

        Receive(3, 1, isAnswer: false).Should().Be(NotificationVerdict.Newer);
        Receive(3, 2, isAnswer: false).Should().Be(NotificationVerdict.Newer);
    }

    [Fact]
    public void Failures_double_the_wait_up_to_its_limit_and_a_success_begins_anew()
    {
        Register(0);
        Receive(1, 0);
        Register(0);
        foreach (var wait in new[] { 10, 20, 40, 40, 40 }) { FailAndExpect(wait); }

        Receive(2, Seconds(500));

        Register(Seconds(600));
        FailAndExpect(10);
    }

    [Fact]
    public void After_a_very_long_time_of_failures_the_wait_is_still_its_limit()
    {
        Register(0);
        Receive(1, 0);
        Register(0);
        for (var i = 0; i < 10_000; i++) { _subscription.Fail(0, 1); }

        _subscription.Deadline.Should().Be(Seconds(40));
    }

    [Fact]
    public void The_first_registration_is_not_tried_again()
    {
        Register(0);

        _subscription.Fail(Seconds(1), 1).Should().BeFalse();

        (_subscription.State, _subscription.EndReason, _subscription.Deadline).Should().Be((ObservationState.Ended, ObservationEnd.Failed, long.MaxValue));
    }

    [Theory]
    [InlineData(true, false, ObservationEnd.NotObserved), InlineData(false, true, ObservationEnd.ErrorResponse), InlineData(false, false, ObservationEnd.ErrorResponse)]
    [Trait("RFC", "7641 3.2")]
    public void An_end_is_final(bool isSuccess, bool hasSequence, ObservationEnd reason)
    {
        Register(0);
        Receive(1, 0);

        _subscription.Receive(isSuccess, hasSequence ? 2 : null, Seconds(60), NotificationOrigin.Notified, 1, 0).Should().Be(NotificationVerdict.Last);
        Receive(3, 2).Should().Be(NotificationVerdict.Older);
        Register(3);
        _subscription.Fail(4, 0).Should().BeFalse();
        _subscription.End(ObservationEnd.Canceled);

        (_subscription.State, _subscription.EndReason, _subscription.Deadline).Should().Be((ObservationState.Ended, reason, long.MaxValue));
    }

    [Fact]
    [Trait("RFC", "7641 3.4")]
    public void A_repeated_answer_that_notifications_have_overtaken_is_old_and_the_answer_of_a_restarted_server_is_not()
    {
        Register(0);
        Receive(5, 0);
        Register(Seconds(70));
        Receive(7, Seconds(71), isAnswer: false).Should().Be(NotificationVerdict.Newer);
        Receive(6, Seconds(72)).Should().Be(NotificationVerdict.Older);

        Register(Seconds(80));
        Receive(1, Seconds(81)).Should().Be(NotificationVerdict.Newer);
    }

    [Fact]
    [Trait("RFC", "7641 3.4")]
    public void A_late_notification_in_the_place_of_a_separate_answer_is_old_and_the_server_is_asked_again()
    {
        Register(0);
        Receive(5, 0);
        Register(Seconds(70));

        _subscription.Receive(true, 4, Seconds(60), NotificationOrigin.AnsweredSeparately, Seconds(71), 1).Should().Be(NotificationVerdict.Older);

        _subscription.Poll(Seconds(81)).Should().Be(SubscriptionStep.Retry);
    }

    [Fact]
    public void Polled_late_it_asks_once()
    {
        Register(0);
        Receive(1, 0);

        _subscription.Poll(Seconds(10_000)).Should().Be(SubscriptionStep.Register);
        _subscription.Poll(Seconds(10_000)).Should().Be(SubscriptionStep.Wait);
    }

    private static long Seconds(double seconds) => (long)(seconds * TimeSpan.TicksPerSecond);

    private void Register(long now, bool isReliable = false) => _subscription.Registered(isReliable, now);

    private NotificationVerdict Receive(uint sequence, long now, bool isAnswer = true, double chance = 1) =>
        _subscription.Receive(isSuccess: true, sequence, Seconds(60), isAnswer ? NotificationOrigin.Piggybacked : NotificationOrigin.Notified, now, chance);

    private void FailAndExpect(double wait)
    {
        _subscription.Fail(0, chance: 1).Should().BeTrue();
        _subscription.Deadline.Should().Be(Seconds(wait));
        _subscription.Poll(Seconds(wait)).Should().Be(SubscriptionStep.Retry);
        Register(0);
    }
}
