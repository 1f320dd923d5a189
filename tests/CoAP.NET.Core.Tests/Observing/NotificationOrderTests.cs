using CoAP.Observing;

namespace CoAP.Tests.Observing;

public sealed class NotificationOrderTests
{
    private static readonly long Window = TimeSpan.FromSeconds(256).Ticks;
    private static readonly DateTimeOffset Start = new(2026, 3, 1, 0, 0, 0, TimeSpan.Zero);

    [Fact, Trait("RFC", "7641 4.4")]
    public void Numbers_go_on_across_the_24_bits_as_the_clients_rule_sees_them()
    {
        var cut = new NotificationOrder(start: (1 << 24) - 3, now: 0, epoch: (4 * Window) - 1);
        var values = new List<uint>();
        for (var now = 0; now < 5; now++)
        {
            if (cut.TryNext(now / 2, out _)) { values.Add(NotificationOrder.OnWire(cut.Last)); }
        }

        values.Should().Equal(0xFF_FFFE, 0xFF_FFFF, 0, 1, 2);
        values.Zip(values.Skip(1)).Should().OnlyContain(pair => IsNewer(pair.First, pair.Second));
    }

    [Fact, Trait("RFC", "7641 4.4")]
    public void Any_256_seconds_use_less_than_half_of_the_numbers()
    {
        var cut = new NotificationOrder(start: 0, now: 0, epoch: 0);
        var given = new Queue<(long Time, long Count)>();
        for (long now = 0, count = 0; now < 5 * Window; now += Window / 64)
        {
            while (cut.TryNext(now, out _)) { count++; }
            given.Enqueue((now, count));
            while (given.Peek().Time <= now - Window) { given.Dequeue(); }
            (count - given.Peek().Count).Should().BeLessThan(1 << 23);
        }
        cut.Last.Should().BeGreaterThan(1 << 24, "the row came round in that time");
    }

    [Fact, Trait("RFC", "7641 4.4")]
    public void A_refusal_says_from_when_on_there_is_a_number()
    {
        var cut = new NotificationOrder(start: 0, now: 5, epoch: -5);
        for (var i = 1; i < NotificationOrder.BlockSize; i++) { cut.TryNext(7, out _).Should().BeTrue(); }

        cut.TryNext(8, out var retryAt).Should().BeFalse();
        retryAt.Should().Be(5 + Window);
        cut.TryNext(retryAt - 1, out _).Should().BeFalse();
        cut.TryNext(retryAt, out _).Should().BeTrue();
        cut.Last.Should().Be(NotificationOrder.BlockSize, "refusals take no number");
    }

    [Fact, Trait("RFC", "7641 4.4")]
    public void Representations_that_come_and_go_leave_numbers_for_notifications()
    {
        long last = 0;
        for (var i = 0; i < 2 * NotificationOrder.BlockSize; i++) { last = NotificationOrder.StartAfter(last); }

        var cut = new NotificationOrder(last, now: 0, epoch: 0);

        for (var i = 1; i < 65_536; i++) { cut.TryNext(0, out _).Should().BeTrue(); }
        cut.TryNext(0, out _).Should().BeFalse();
        NotificationOrder.StartAfter(NotificationOrder.BlockSize).Should().Be(NotificationOrder.BlockSize + 1, "the next block has new numbers");
    }

    [Fact, Trait("RFC", "7641 4.4")]
    public void A_repeated_registration_continues_above_the_number_that_its_client_knows_and_a_new_one_takes_none()
    {
        var cut = new NotificationOrder(start: 5, now: 0, epoch: 0);

        cut.Register(0, replaced: 4);
        cut.Last.Should().Be(5);
        cut.Register(0, replaced: 5);
        cut.Last.Should().Be(6);
    }

    [Fact]
    public void Registrations_without_end_leave_half_of_the_numbers_to_notifications()
    {
        var cut = new NotificationOrder(start: 0, now: 0, epoch: 0);
        for (var i = 0; i < NotificationOrder.BlockSize; i++) { cut.Register(0, replaced: cut.Last); }

        cut.Last.Should().Be((NotificationOrder.BlockSize / 2) - 1);
        for (var i = 0; i < NotificationOrder.BlockSize / 2; i++) { cut.TryNext(0, out _).Should().BeTrue(); }
        cut.TryNext(0, out _).Should().BeFalse();
    }

    [Fact, Trait("RFC", "8323 7.1")]
    public void Over_a_reliable_transport_the_numbers_are_not_limited()
    {
        var cut = new NotificationOrder(start: 0, now: 0, epoch: 0, isLimited: false);
        for (var i = 0; i < 3 * NotificationOrder.BlockSize; i++) { cut.Register(0, replaced: cut.Last); }

        cut.TryNext(0, out _).Should().BeTrue();
        cut.Last.Should().Be((3 * NotificationOrder.BlockSize) + 1);
    }

    [Fact]
    public void Goes_on_above_the_numbers_of_an_earlier_run_and_never_back()
    {
        var cut = new NotificationOrder(start: 0, now: 0, epoch: 0);

        cut.ContinueAfter(1000, now: 0);
        cut.ContinueAfter(10, now: 0);
        cut.TryNext(0, out _);

        cut.Last.Should().Be(1001);
    }

    // A server that stores nothing, and whose clock was not set back. The client compares numbers for 128 seconds.
    [Theory, Trait("RFC", "7641 4.4"), Trait("RFC", "7641 3.4")]
    [InlineData(0, 1, 1), InlineData(0, 500, 1), InlineData(0, 500, 128), InlineData(255, 1, 1), InlineData(100, 3600, 100), InlineData(7, 86_399, 3)]
    public void After_a_restart_numbers_are_newer_than_those_before(int start, int runsFor, int isDownFor)
    {
        var (began, ended) = (Start.AddSeconds(start), Start.AddSeconds(start + runsFor));
        var before = new NotificationOrder(NotificationOrder.StartAt(began), now: 0, Epoch(began));
        for (var now = 0; now < runsFor; now += 50) { before.TryNext(TimeSpan.FromSeconds(now).Ticks, out _).Should().BeTrue(); }
        before.TryNext(TimeSpan.FromSeconds(runsFor).Ticks, out _).Should().BeTrue();

        var restarted = ended.AddSeconds(isDownFor);
        var after = new NotificationOrder(NotificationOrder.StartAt(restarted), now: 0, Epoch(restarted));

        IsNewer(NotificationOrder.OnWire(before.Last), NotificationOrder.OnWire(after.Last)).Should().BeTrue("{0} is newer than {1}", after.Last, before.Last);
        after.TryNext(0, out _).Should().BeTrue();
    }

    [Fact, Trait("RFC", "7641 4.4")]
    public void A_clock_that_was_set_back_delays_nothing()
    {
        var cut = new NotificationOrder(start: 0, now: 0, epoch: 0);

        cut.ContinueAfter(1L << 40, now: 0);

        cut.TryNext(0, out _).Should().BeTrue();
        cut.Last.Should().Be((1L << 40) + 1);
        for (var i = 2; i < NotificationOrder.BlockSize; i++) { cut.TryNext(0, out _).Should().BeTrue(); }
        cut.TryNext(0, out var retryAt).Should().BeFalse();
        retryAt.Should().Be(Window);
    }

    private static long Epoch(DateTimeOffset time) => (time - DateTimeOffset.UnixEpoch).Ticks;

    // RFC 7641, section 3.4, without the clause on time.
    private static bool IsNewer(uint first, uint second) =>
        (first < second && second - first < 1 << 23) || (first > second && first - second > 1 << 23);
}
