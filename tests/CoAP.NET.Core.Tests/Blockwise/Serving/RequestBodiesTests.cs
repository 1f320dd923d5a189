using CoAP.Accounting;
using CoAP.Blockwise;
using CoAP.Options;
using static CoAP.Tests.Blockwise.Transfers;

namespace CoAP.Tests.Blockwise;

/// <summary>The order of blocks, and what ends a transfer.</summary>
public sealed class RequestBodiesTests
{
    private readonly BodyBudget _budget = Budget();
    private readonly RequestBodies _cut;

    public RequestBodiesTests() => _cut = new RequestBodies(Limits, _budget);

    [Fact, Trait("RFC", "7959 2.9.2"), Trait("RFC", "7959 2.5")]
    public void A_missing_block_is_4_08_and_the_end_of_the_transfer()
    {
        Take(0, true);

        Take(2, true).Should().BeOfType<ReceiveOutcome.Rejected>().Which.Code.Should().Be(ResponseCode.RequestEntityIncomplete);

        Take(1, false).Should().BeOfType<ReceiveOutcome.Rejected>().Which.Code.Should().Be(ResponseCode.RequestEntityIncomplete, "nothing is kept after 4.08");
        ShouldBeEmpty();
    }

    [Fact, Trait("RFC", "7959 2.5")]
    public void A_last_block_without_those_before_it_is_4_08()
    {
        Take(3, false).Should().BeOfType<ReceiveOutcome.Rejected>().Which.Code.Should().Be(ResponseCode.RequestEntityIncomplete);

        ShouldBeEmpty();
    }

    [Fact, Trait("RFC", "7959 2.5")]
    public void An_earlier_block_again_is_4_08_unless_it_is_the_last_one()
    {
        Take(0, true);
        Take(1, true);

        Take(1, true).Should().BeOfType<ReceiveOutcome.Continue>().Which.Acknowledgement.Should().Be(Block(1, true, 16));
        Take(2, true);
        Take(1, true).Should().BeOfType<ReceiveOutcome.Rejected>();
    }

    [Fact]
    public void The_last_block_again_with_other_bytes_is_4_08()
    {
        Take(0, true);
        Take(1, true);

        var outcome = _cut.Receive(Key(), Block(1, true, 16), new byte[16], null, false, 0);

        outcome.Should().BeOfType<ReceiveOutcome.Rejected>().Which.Code.Should().Be(ResponseCode.RequestEntityIncomplete);
    }

    [Fact, Trait("RFC", "7959 2.5"), Trait("RFC", "7959 7.1")]
    public void State_that_has_expired_is_4_08()
    {
        Take(0, true, now: 0);
        Take(1, true, now: 10);
        _cut.NextDeadline.Should().Be(10 + Lifetime);

        _cut.Expire(10 + Lifetime - 1);
        _cut.Count.Should().Be(1);
        _cut.Expire(10 + Lifetime);

        ShouldBeEmpty();
        Take(2, false, now: 10 + Lifetime).Should().BeOfType<ReceiveOutcome.Rejected>().Which.Code.Should().Be(ResponseCode.RequestEntityIncomplete);
    }

    [Fact, Trait("RFC", "7959 2.9.3"), Trait("RFC", "7959 4")]
    public void An_announced_size_over_the_limit_is_4_13_at_the_first_block()
    {
        var outcome = _cut.Receive(Key(), Block(0, true, 16), Body(16), announced: 1001, false, 0);

        var rejected = outcome.Should().BeOfType<ReceiveOutcome.Rejected>().Which;
        rejected.Code.Should().Be(ResponseCode.RequestEntityTooLarge);
        rejected.Hint.Should().Be(new Size1(1000));
        ShouldBeEmpty();
    }

    [Fact, Trait("RFC", "7959 2.9.3")]
    public void A_body_that_grows_over_the_limit_is_4_13_in_the_middle()
    {
        ReceiveOutcome outcome;
        var number = 0;
        do { outcome = _cut.Receive(Key(), Block(number++, true, 64), new byte[64], null, false, 0); }
        while (outcome is ReceiveOutcome.Continue);

        number.Should().Be(16, "15 blocks of 64 bytes are 960 of 1,000 bytes");
        outcome.Should().BeOfType<ReceiveOutcome.Rejected>().Which.Should().Match<ReceiveOutcome.Rejected>(
            one => one.Code == ResponseCode.RequestEntityTooLarge && one.Hint!.Equals(new Size1(1000)));
        ShouldBeEmpty();
    }

    [Fact]
    public void A_single_block_over_the_limit_is_4_13_too()
    {
        var outcome = _cut.Receive(Key(), Block(0, false, 1024), new byte[1001], null, false, 0);

        outcome.Should().BeOfType<ReceiveOutcome.Rejected>().Which.Code.Should().Be(ResponseCode.RequestEntityTooLarge);
    }

    [Fact, Trait("RFC", "9175 3.3")]
    public void Too_many_bodies_of_one_peer_are_5_03_until_the_first_one_may_end()
    {
        Take(0, true, Key("a"), now: 0);
        Take(0, true, Key("b"), now: TimeSpan.TicksPerSecond);

        var third = Take(0, true, Key("c"), now: 7 * TimeSpan.TicksPerSecond);

        third.Should().BeOfType<ReceiveOutcome.Rejected>().Which.Should().Match<ReceiveOutcome.Rejected>(
            one => one.Code == ResponseCode.ServiceUnavailable && one.Hint!.Equals(new MaxAge(240)));
        Take(0, true, Key("c", port: 5001)).Should().BeOfType<ReceiveOutcome.Continue>("another peer has room of its own");
        Take(0, false, Key("d")).Should().BeOfType<ReceiveOutcome.Complete>("a body of one block needs none");
    }

    [Fact]
    public void A_body_that_can_never_fit_into_the_budget_is_4_13_with_the_size_that_fits()
    {
        var budget = new BodyBudget(Limits with { Overhead = 64 }, new LedgerBook(1000, 1000));
        var key = Key();
        var largest = 500 - 64 - key.Operation.Length;
        var cut = new RequestBodies(Limits with { Overhead = 64 }, budget);

        var announced = cut.Receive(key, Block(0, true, 64), new byte[64], (uint)largest + 1, false, 0);
        for (var number = 0; number < largest / 64; number++)
        {
            cut.Receive(key, Block(number, true, 64), new byte[64], null, false, 0).Should().BeOfType<ReceiveOutcome.Continue>();
        }
        var grown = cut.Receive(key, Block(largest / 64, true, 64), new byte[64], null, false, 0);

        foreach (var outcome in new[] { announced, grown })
        {
            outcome.Should().BeOfType<ReceiveOutcome.Rejected>().Which.Should().Match<ReceiveOutcome.Rejected>(
                one => one.Code == ResponseCode.RequestEntityTooLarge && one.Hint!.Equals(new Size1((uint)largest)));
        }
        budget.Bytes.Should().Be(0);
    }

    [Fact]
    public void Too_many_bytes_in_all_are_5_03_and_others_go_on()
    {
        for (var port = 0; port < 4; port++) { Fill(Key(port: 5000 + port), 960); }

        Take(0, true, Key(port: 6000)).Should().BeOfType<ReceiveOutcome.Rejected>().Which.Code.Should().Be(ResponseCode.ServiceUnavailable);
        _budget.Bytes.Should().BeLessOrEqualTo(4000);
        _cut.Receive(Key(), Block(15, false, 64), new byte[32], null, false, 0).Should().BeOfType<ReceiveOutcome.Complete>();
        Take(0, true, Key(port: 6000)).Should().BeOfType<ReceiveOutcome.Continue>();
    }

    [Theory, Trait("RFC", "7959 2.2"), Trait("RFC", "7959 2.3"), Trait("RFC", "7252 5.9.2.1")]
    [InlineData(0, true, 7, 1024), InlineData(0, false, 7, 1), InlineData(0, true, 0, 15), InlineData(0, true, 0, 17), InlineData(0, true, 0, 0), InlineData(0, false, 0, 17)]
    public void A_size_that_does_not_fit_the_payload_is_4_00(int number, bool hasMore, int exponent, int length)
    {
        var outcome = _cut.Receive(Key(), new Block1(number, hasMore, exponent), new byte[length], null, isReliable: false, 0);

        outcome.Should().BeOfType<ReceiveOutcome.Rejected>().Which.Code.Should().Be(ResponseCode.BadRequest);
        ShouldBeEmpty();
    }

    [Fact]
    public void A_bad_block_in_the_middle_ends_the_transfer()
    {
        Take(0, true);

        _cut.Receive(Key(), Block(1, true, 16), new byte[15], null, false, 0).Should().BeOfType<ReceiveOutcome.Rejected>().Which.Code.Should().Be(ResponseCode.BadRequest);

        ShouldBeEmpty();
    }

    private ReceiveOutcome Take(int number, bool hasMore, BodyKey? key = null, long now = 0) =>
        _cut.Receive(key ?? Key(), Block(number, hasMore, 16), Body(16 * (number + 1)).AsMemory(16 * number), null, false, now);

    private void Fill(in BodyKey key, int bytes)
    {
        for (var number = 0; number < bytes / 64; number++)
        {
            _cut.Receive(key, Block(number, true, 64), new byte[64], null, false, 0).Should().BeOfType<ReceiveOutcome.Continue>();
        }
    }

    private void ShouldBeEmpty() => (_cut.Count, _budget.Bytes, _budget.Peers, _cut.NextDeadline).Should().Be((0, 0L, 0, long.MaxValue));
}
