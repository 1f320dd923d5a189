using System.Text;
using CoAP.Blockwise;
using CoAP.Options;

namespace CoAP.Tests.Blockwise.Robust;

public class RobustReceiverTests
{
    private readonly RobustReceiver _cut = new(RobustTransferSettings.Default, maxBody: 100_000, probingRate: 1000, now: 0);

    private static long Seconds(double value) => (long)(value * TimeSpan.TicksPerSecond);

    private RobustOutcome Accept(int number, int count = 13, double at = 0, long? total = null, int length = 16, bool? more = null, int size = 0) =>
        _cut.Accept(new QBlock1(number, more ?? number < count - 1, size), total ?? count * 16, new byte[length], Seconds(at));

    [Fact]
    [Trait("RFC", "9177 4.3")]
    public void A_body_over_the_limit_is_4_13_before_anything_is_kept()
    {
        Accept(0, total: 100_001).Should().Be(RobustOutcome.Rejected(ResponseCode.RequestEntityTooLarge));

        _cut.Count.Should().Be(0);
        _cut.Deadline.Should().Be(long.MaxValue);
    }

    [Fact]
    public void A_body_of_more_blocks_than_can_be_numbered_is_4_13()
    {
        var cut = new RobustReceiver(RobustTransferSettings.Default, long.MaxValue, 1, 0);

        cut.Accept(new QBlock1(0, true, 0), (16L << 20) + 1, new byte[16], 0).Should().Be(RobustOutcome.Rejected(ResponseCode.RequestEntityTooLarge));
    }

    [Theory]
    [InlineData(13, true, 16)]      // behind the end
    [InlineData(12, true, 16)]      // the last one with the bit M
    [InlineData(3, false, 16)]      // another one without
    [InlineData(3, true, 15)]       // too short
    [InlineData(12, false, 17)]     // too long
    [Trait("RFC", "9177 4.6")]
    public void A_block_that_does_not_fit_the_size_is_4_00_and_ends_the_body(int number, bool more, int length)
    {
        Accept(0);

        Accept(number, more: more, length: length).Should().Be(RobustOutcome.Rejected(ResponseCode.BadRequest));
        Accept(1).IsRejected.Should().BeTrue("the end of a transfer is final");
    }

    [Fact]
    [Trait("RFC", "9177 4.6")]
    public void Another_size_of_body_or_block_is_4_00()
    {
        Accept(0);

        Accept(1, total: 14 * 16).Should().Be(RobustOutcome.Rejected(ResponseCode.BadRequest));
    }

    [Fact]
    public void Blocks_in_any_order_give_the_body()
    {
        var body = Enumerable.Range(0, 200).Select(number => (byte)number).ToArray();
        var numbers = Enumerable.Range(0, 13).ToArray();
        new Random(5).Shuffle(numbers);

        var outcomes = numbers.Select(number => _cut.Accept(new QBlock1(number, number < 12, 0), 200, body.AsSpan(number * 16, number < 12 ? 16 : 8), 0)).ToArray();

        outcomes[..12].Should().AllSatisfy(outcome => outcome.IsContinue.Should().BeTrue());
        outcomes[12].IsComplete.Should().BeTrue();
        _cut.Take().Should().Equal(body);
        _cut.Deadline.Should().Be(long.MaxValue);
    }

    [Fact]
    [Trait("RFC", "9177 4.3"), Trait("RFC", "9177 4.4")]
    public void The_payload_of_a_duplicate_is_ignored()
    {
        foreach (var (number, text) in new[] { (0, "first block, 16 b"), (0, "another payload."), (1, "!") })
        {
            _cut.Accept(new QBlock1(number, number == 0, 0), 17, Encoding.ASCII.GetBytes(number == 0 ? text[..16] : text), 0);
        }

        Encoding.ASCII.GetString(_cut.Take()).Should().Be("first block, 16 !");
    }

    [Fact]
    [Trait("RFC", "9177 4.3")]
    public void An_empty_body_is_one_block() => Accept(0, count: 1, total: 0, length: 0).IsComplete.Should().BeTrue();

    [Fact]
    [Trait("RFC", "9177 4.3")]
    public void A_duplicate_of_a_whole_set_gets_the_same_answer_again()
    {
        for (var number = 0; number < 10; number++) { Accept(number); }
        _cut.Poll(0).Kind.Should().Be(RobustAskKind.Continue);
        _cut.Poll(0).Kind.Should().Be(RobustAskKind.None);

        Accept(9);

        _cut.Poll(0).Should().BeEquivalentTo(new RobustAsk(RobustAskKind.Continue, 10, []));
    }

    [Fact]
    [Trait("RFC", "9177 7.2")]
    public void Polled_late_it_asks_once()
    {
        Accept(0);

        _cut.Poll(Seconds(100)).Numbers.Should().Equal(1, 2, 3, 4, 5, 6, 7, 8, 9);
        _cut.Poll(Seconds(100)).Kind.Should().Be(RobustAskKind.None);
        _cut.Deadline.Should().Be(Seconds(108));
    }

    [Fact]
    [Trait("RFC", "9177 7.2")]
    public void Unanswered_questions_come_at_doubled_distances_and_end_after_NON_MAX_RETRANSMIT()
    {
        Accept(0);
        var asked = new List<double>();

        while (_cut.Poll(_cut.Deadline) is { Kind: RobustAskKind.Missing })
        {
            asked.Add((double)_cut.Deadline / TimeSpan.TicksPerSecond);
        }

        asked.Should().Equal(12, 28, 60, 124);
        _cut.Deadline.Should().Be(long.MaxValue);
    }

    [Fact]
    [Trait("RFC", "9177 7.2")]
    public void A_silent_peer_is_asked_no_faster_than_PROBING_RATE_allows()
    {
        var cut = new RobustReceiver(RobustTransferSettings.Default with { NonMaxRetransmit = 8, NonReceiveTimeout = TimeSpan.FromSeconds(4) }, 1000, probingRate: 0.1, now: 0);
        var asked = new List<long>();
        for (long now = 0; now < Seconds(600); now += Seconds(1))
        {
            if (cut.Poll(now).Kind == RobustAskKind.Everything) { asked.Add(now / TimeSpan.TicksPerSecond); }
        }

        asked.Should().Equal([4, 12, 28, 60, 124], "four questions are the allowance before the first answer and may be overdrawn once");
    }
}
