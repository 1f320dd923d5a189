using CoAP.Reliability;
using CoAP.TestSupport;

namespace CoAP.Tests.Reliability;

public class MessageIdSourceTests
{
    private const long Second = TimeSpan.TicksPerSecond;
    private const long Quarantine = 247 * Second;

    private static MessageId Settled(MessageIdSource cut, long now, MessageIdOutcome expected = MessageIdOutcome.Fresh)
    {
        Assert.Equal(expected, cut.TryNext(now, strict: false, out var id, out _));
        cut.Settle(id);
        return id;
    }

    [Fact]
    [Trait("RFC", "7252 4.4")]
    public void Starts_at_the_given_id_and_counts_upwards()
    {
        var cut = MessageIdSource.ForUnicast(0, Quarantine, start: 64_510);

        var ids = Enumerable.Range(0, 4).Select(_ => (int)Settled(cut, 0).Value);

        ids.Should().Equal(64_510, 64_511, 0, 1);
    }

    [Fact]
    [Trait("RFC", "7252 4.4")]
    public void Unicast_and_multicast_never_share_a_number()
    {
        var unicast = MessageIdSource.ForUnicast(0, 0, start: 65_535);
        var multicast = MessageIdSource.ForMulticast(0, 0, start: 65_535);

        var unicastIds = Enumerable.Range(0, 70_000).Select(_ => Settled(unicast, 0).Value).ToHashSet();
        var multicastIds = Enumerable.Range(0, 3_000).Select(_ => Settled(multicast, 0).Value).ToHashSet();

        unicastIds.Should().HaveCount(64_512).And.OnlyContain(id => id <= 64_511);
        multicastIds.Should().HaveCount(1_024).And.OnlyContain(id => id >= 64_512);
    }

    [Fact]
    [Trait("RFC", "7252 4.4")]
    public void A_strict_sender_waits_for_the_end_of_the_quarantine()
    {
        var cut = MessageIdSource.ForUnicast(0, Quarantine, start: 40_000);
        for (var i = 0; i < MessageIdSource.UnicastCount; i++) { Settled(cut, 5 * Second); }

        var outcome = cut.TryNext(6 * Second, strict: true, out _, out var retryAt);
        var early = cut.TryNext(retryAt - 1, strict: true, out _, out _);
        var late = cut.TryNext(retryAt, strict: true, out var id, out _);

        outcome.Should().Be(MessageIdOutcome.Exhausted);
        retryAt.Should().BeInRange(252 * Second, (252 * Second) + (Second / 5));
        early.Should().Be(MessageIdOutcome.Exhausted);
        late.Should().Be(MessageIdOutcome.Fresh);
        id.Value.Should().Be(40_000);
    }

    [Fact]
    public void Other_requests_reuse_the_oldest_settled_number_and_learn_that_it_is_reused()
    {
        var cut = MessageIdSource.ForUnicast(0, Quarantine, start: 100);
        cut.TryNext(0, strict: false, out var unsettled, out _);
        for (var i = 1; i < MessageIdSource.UnicastCount; i++) { Settled(cut, Second); }

        var reused = Settled(cut, 2 * Second, MessageIdOutcome.Reused);

        unsettled.Value.Should().Be(100);
        reused.Value.Should().Be(101);
    }

    [Fact]
    public void Numbers_of_unsettled_exchanges_are_never_used_again()
    {
        var cut = MessageIdSource.ForUnicast(0, Quarantine, start: 0);
        var held = new HashSet<ushort>();
        for (var i = 0; i < 1000; i++)
        {
            cut.TryNext(0, strict: false, out var id, out _);
            if (i % 3 == 0) { held.Add(id.Value); }
            else { cut.Settle(id); }
        }

        var clashes = 0;
        for (var i = 0; i < 200_000; i++)
        {
            cut.TryNext(i * Second, strict: false, out var id, out _);
            if (held.Contains(id.Value)) { clashes++; }
            cut.Settle(id);
        }

        clashes.Should().Be(0);
        cut.Unsettled.Should().Be(held.Count).And.Be(334);
    }

    [Fact]
    public void With_nothing_settled_there_is_no_number_at_any_time()
    {
        var cut = MessageIdSource.ForMulticast(0, Quarantine, start: 0);
        for (var i = 0; i < MessageIdSource.MulticastCount; i++) { cut.TryNext(0, strict: false, out _, out _); }

        cut.TryNext(1000 * Second, strict: false, out _, out var retryAt).Should().Be(MessageIdOutcome.Exhausted);
        retryAt.Should().Be(long.MaxValue);
        cut.Settle(new(64_600));
        cut.TryNext(1000 * Second, strict: true, out var id, out _).Should().Be(MessageIdOutcome.Fresh);
        id.Value.Should().Be(64_600);
    }

    [Fact]
    [Trait("RFC", "7252 4.4")]
    public void A_strict_sender_can_send_260_messages_a_second_for_ever()
    {
        var cut = MessageIdSource.ForUnicast(0, Quarantine, start: 12_345);
        var lastUse = new long[65_536];
        Array.Fill(lastUse, -Quarantine);

        var (refused, early) = (0, 0);
        for (var i = 0; i < 260 * 1800; i++)
        {
            var now = i * Second / 260;
            if (cut.TryNext(now, strict: true, out var id, out _) != MessageIdOutcome.Fresh) { refused++; }
            if (now - lastUse[id.Value] < Quarantine) { early++; }
            lastUse[id.Value] = now;
            cut.Settle(id);
        }

        refused.Should().Be(0);
        early.Should().Be(0);
    }

    [Fact]
    [Trait("RFC", "7252 4.4")]
    public void A_strict_sender_never_gets_past_265_messages_a_second()
    {
        var cut = MessageIdSource.ForUnicast(0, Quarantine, start: 0);
        var (fresh, now) = (0, 0L);

        while (now < 3600 * Second)
        {
            var outcome = cut.TryNext(now, strict: true, out var id, out var retryAt);
            now = outcome == MessageIdOutcome.Exhausted ? retryAt : now + (Second / 1000);
            if (outcome == MessageIdOutcome.Fresh) { fresh++; }
            cut.Settle(id);
        }

        (fresh / 3600.0).Should().BeInRange(240, 65_536 / 247.0 * (3600 + 247) / 3600);
    }

    [Fact]
    public void A_source_is_small_and_allocates_nothing_once_it_has_gone_round()
    {
        var cut = Create();

        var small = Allocations.Of(() => TakeAndSettle(Create(), 256));
        var whole = Allocations.Of(() => TakeAndSettle(Create(), 256 + 70_000));
        var later = Allocations.Of(() => TakeAndSettle(cut, 70_000));       // the uncounted run goes round

        small.Should().BeLessThan(512);
        whole.Should().BeLessThan(4096);
        later.Should().Be(0);
    }

    private static MessageIdSource Create() => MessageIdSource.ForUnicast(0, Quarantine, start: 0);

    private static void TakeAndSettle(MessageIdSource cut, int count)
    {
        for (var i = 0; i < count; i++)
        {
            cut.TryNext(i, strict: false, out var id, out _);
            cut.Settle(id);
        }
    }
}
